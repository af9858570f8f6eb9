// SPDX-License-Identifier: Apache-2.0
#include "engine/data/corpus.h"

#include "core/base/text_files.h"
#include <fstream>

namespace stageloom::engine {

namespace {

Result<std::vector<std::uint8_t>> bytesOf(const TextFiles::File& text)
{
    std::vector<std::uint8_t> bytes(text.bytes);
    std::ifstream file(text.path, std::ios::binary);
    const auto size = static_cast<std::streamsize>(bytes.size());
    file.read(reinterpret_cast<char*>(bytes.data()), size);
    if (!file || file.gcount() != size)
        return fail(
            ErrorKind::Io, "cannot read all {} bytes of '{}'", text.bytes, text.path.string());
    return bytes;
}

void append(Corpus& corpus, const std::vector<std::uint8_t>& bytes, double validationFraction)
{
    const auto held = static_cast<std::ptrdiff_t>(heldOut(bytes.size(), validationFraction));
    corpus.train.insert(corpus.train.end(), bytes.begin(), bytes.end() - held);
    corpus.validation.insert(corpus.validation.end(), bytes.end() - held, bytes.end());
}

} // namespace

Result<Corpus> readCorpus(const std::string& path, double validationFraction, std::int64_t seq)
{
    if (!(validationFraction >= 0 && validationFraction < 1))
        return fail(ErrorKind::Invalid, "The validation fraction {} is not in 0 … 1 (1 excluded).",
            validationFraction);
    if (seq < 1)
        return fail(ErrorKind::Invalid, "The sequence length {} is below 1.", seq);
    Result<TextFiles> text = findTextFiles(path);
    if (!text)
        return failure(text);
    if (auto enough = checkEnoughText(*text, path, validationFraction, seq); !enough)
        return failure(enough);
    Corpus corpus;
    corpus.notes = text->notes();
    for (const TextFiles::File& file : text->files) {
        const auto bytes = bytesOf(file);
        if (!bytes)
            return failure(bytes);
        append(corpus, *bytes, validationFraction);
        corpus.files.push_back(file.path.string());
    }
    return corpus;
}

} // namespace stageloom::engine
