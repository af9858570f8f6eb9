// SPDX-License-Identifier: Apache-2.0
#include "core/base/file_kind.h"

#include "core/base/text.h"

#include <cctype>

namespace stageloom {

namespace {

bool has(const std::string& text, const char* word)
{
    return text.find(word) != std::string::npos;
}

// XML by its root element, past declarations and comments.
std::string xmlKind(const std::string& text)
{
    if (!trim(text).starts_with("<"))
        return {};
    constexpr const char* kHelp
        = "is not read by this version; print a machine close to it with 'stageloom topology show "
          "dgx-a100 --json', edit that and give the file";
    if (has(text, "<system version="))
        return fmt::format("is a topology file of NCCL or RCCL (XML), which {}", kHelp);
    if (has(text, "<!DOCTYPE topology") || has(text, "<topology"))
        return fmt::format("is a topology of hwloc (XML), which {}", kHelp);
    return "is XML; a JSON document was expected";
}

// `nvidia-smi topo -m`: a heading of GPUs, then a row a GPU with an X for itself.
bool isLinkTable(const std::string& text)
{
    const std::size_t heading = text.find("GPU0");
    return heading != std::string::npos && heading < 200
        && text.find("GPU0", heading + 4) != std::string::npos && has(text, "X");
}

} // namespace

bool isUtf16(const std::string& text)
{
    if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff"))
        return true;
    if (text.size() < 4)
        return false;
    const auto ascii = [&](std::size_t i) { return text[i] > 0; };
    return (ascii(0) && !text[1] && ascii(2) && !text[3])
        || (!text[0] && ascii(1) && !text[2] && ascii(3));
}

std::string strangeContent(const std::string& text)
{
    if (text.starts_with("version https://git-lfs"))
        return "is a Git LFS pointer: the file itself was not downloaded (run 'git lfs pull')";
    if (text.starts_with("\x89PNG") || text.starts_with("\xff\xd8\xff") || text.starts_with("GIF8"))
        return "is a picture; a JSON document was expected";
    if (isUtf16(text))
        return "is UTF-16 text; save it as UTF-8 ('iconv -f UTF-16 -t UTF-8 FILE' does)";
    if (text.starts_with("GGUF") || text.find('\0') != std::string::npos)
        return "is a binary file (weights, perhaps); give the JSON document that lies beside it";
    const std::string_view begin = trim(text);
    if (begin.starts_with("{") || begin.starts_with("["))
        return {};
    if (std::string xml = xmlKind(text); !xml.empty())
        return xml;
    if (isLinkTable(text))
        return "is the table of 'nvidia-smi topo -m', which names links but neither memory nor "
               "speeds; print a machine close to it with 'stageloom topology show rtx4090:8 "
               "--json', edit that and give the file";
    return {};
}

} // namespace stageloom
