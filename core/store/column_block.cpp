// SPDX-License-Identifier: Apache-2.0
#include "core/store/column_block.h"

#include <cstring>
#include <memory>
#include <zstd.h>

namespace stageloom {

namespace {

constexpr int kLevel = 3;
constexpr std::uint64_t kMaxRaw = 256u
    << 20; // far above a block; keeps a damaged size from allocating
constexpr char kIntegers = 'i';
constexpr char kDoubles = 'd';

void putVarint(std::string& out, std::uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        out.push_back(static_cast<char>(static_cast<unsigned char>(value | 0x80)));
    out.push_back(static_cast<char>(static_cast<unsigned char>(value)));
}

bool getVarint(std::string_view in, std::size_t& at, std::uint64_t& value)
{
    value = 0;
    for (int shift = 0; shift < 64 && at < in.size(); shift += 7) {
        const auto byte = static_cast<unsigned char>(in[at++]);
        value |= std::uint64_t(byte & 0x7f) << shift;
        if ((byte & 0x80) == 0)
            return true;
    }
    return false;
}

// Small of either sign to small unsigned: 0, -1, 1, -2 -> 0, 1, 2, 3.
std::uint64_t zigzag(std::uint64_t difference)
{
    return (difference << 1) ^ (difference >> 63 ? ~std::uint64_t(0) : 0);
}
std::uint64_t unzigzag(std::uint64_t value)
{
    return (value >> 1) ^ (value & 1 ? ~std::uint64_t(0) : 0);
}

tl::unexpected<Error> damaged(const char* what)
{
    return fail(ErrorKind::Invalid, "a block of the run store is damaged: {}", what);
}

} // namespace

void ColumnBlockWriter::integers(std::span<const std::int64_t> values)
{
    m_raw.push_back(kIntegers);
    std::uint64_t before = 0; // unsigned: the difference of any two wraps instead of overflowing
    for (const std::int64_t value : values) {
        const auto bits = static_cast<std::uint64_t>(value);
        putVarint(m_raw, zigzag(bits - before));
        before = bits;
    }
}

void ColumnBlockWriter::doubles(std::span<const double> values)
{
    m_raw.push_back(kDoubles);
    const std::size_t base = m_raw.size();
    m_raw.resize(base + values.size() * sizeof(double));
    for (std::size_t i = 0; i < values.size(); ++i) {
        char bytes[sizeof(double)];
        std::memcpy(bytes, &values[i], sizeof bytes);
        for (std::size_t b = 0; b < sizeof bytes; ++b)
            m_raw[base + b * values.size() + i] = bytes[b];
    }
}

std::string ColumnBlockWriter::finish() const
{
    const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(
        ZSTD_createCCtx(), ZSTD_freeCCtx);
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, kLevel);
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
    std::string blob(ZSTD_compressBound(m_raw.size()), '\0');
    const std::size_t size
        = ZSTD_compress2(context.get(), blob.data(), blob.size(), m_raw.data(), m_raw.size());
    blob.resize(ZSTD_isError(size) ? 0 : size); // empty: open() refuses it
    return blob;
}

Result<ColumnBlockReader> ColumnBlockReader::open(std::string_view blob)
{
    const unsigned long long size = ZSTD_getFrameContentSize(blob.data(), blob.size());
    if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN || size > kMaxRaw)
        return damaged("it has no valid header");
    ColumnBlockReader reader;
    reader.m_raw.resize(size);
    const std::size_t done = ZSTD_decompress(reader.m_raw.data(), size, blob.data(), blob.size());
    if (ZSTD_isError(done) || done != size)
        return damaged(ZSTD_isError(done) ? ZSTD_getErrorName(done) : "it is too short");
    return reader;
}

Result<std::vector<std::int64_t>> ColumnBlockReader::integers(std::size_t count)
{
    if (m_at >= m_raw.size() || m_raw[m_at++] != kIntegers)
        return damaged("a column of whole numbers is missing");
    if (count > m_raw.size() - m_at) // a number takes a byte at least
        return damaged("a column ends too early");
    std::vector<std::int64_t> values(count);
    std::uint64_t before = 0;
    for (std::int64_t& value : values) {
        std::uint64_t step = 0;
        if (!getVarint(m_raw, m_at, step))
            return damaged("a column ends too early");
        before += unzigzag(step);
        value = static_cast<std::int64_t>(before);
    }
    return values;
}

Result<std::vector<double>> ColumnBlockReader::doubles(std::size_t count)
{
    if (m_at >= m_raw.size() || m_raw[m_at++] != kDoubles)
        return damaged("a column of numbers is missing");
    if (count > (m_raw.size() - m_at) / sizeof(double))
        return damaged("a column ends too early");
    std::vector<double> values(count);
    for (std::size_t i = 0; i < count; ++i) {
        char bytes[sizeof(double)];
        for (std::size_t b = 0; b < sizeof bytes; ++b)
            bytes[b] = m_raw[m_at + b * count + i];
        std::memcpy(&values[i], bytes, sizeof bytes);
    }
    m_at += count * sizeof(double);
    return values;
}

} // namespace stageloom
