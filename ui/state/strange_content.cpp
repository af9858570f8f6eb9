// SPDX-License-Identifier: GPL-3.0-or-later
// Files that are dropped by mistake, told by their first bytes.
#include "ui/state/file_kind.h"

#include <QCoreApplication>

namespace stageloom {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(OpenedFile)
};

struct Signature {
    const char* bytes;
    int size, offset;
    const char* text;
};

constexpr const char* kPicture
    = QT_TRANSLATE_NOOP("OpenedFile", "is a picture; drop a plan, a model or a machine instead");
constexpr const char* kArchive = QT_TRANSLATE_NOOP(
    "OpenedFile", "is an archive or a saved checkpoint; drop the config.json that belongs to it");
constexpr const char* kWeights
    = QT_TRANSLATE_NOOP("OpenedFile", "holds weights; drop the config.json that lies beside them");

const Signature kSignatures[] = {
    { "\x89PNG", 4, 0, kPicture },
    { "\xff\xd8\xff", 3, 0, kPicture },
    { "GIF8", 4, 0, kPicture },
    { "BM", 2, 0, kPicture },
    { "WEBP", 4, 8, kPicture },
    { "II*\0", 4, 0, kPicture },
    { "MM\0*", 4, 0, kPicture },
    { "%PDF", 4, 0,
        QT_TRANSLATE_NOOP(
            "OpenedFile", "is a PDF document; drop a plan, a model or a machine instead") },
    { "PK\3\4", 4, 0, kArchive },
    { "\x1f\x8b", 2, 0, kArchive },
    { "\x28\xb5\x2f\xfd", 4, 0, kArchive },
    { "ustar", 5, 257, kArchive },
    { "GGUF", 4, 0, kWeights },
    { "\x89HDF", 4, 0, kWeights },
    { "SQLite format 3", 15, 0,
        QT_TRANSLATE_NOOP("OpenedFile",
            "is a database; to see the runs of another store, start Stageloom with --store and "
            "this file") },
    { "\x7f"
      "ELF",
        4, 0,
        QT_TRANSLATE_NOOP(
            "OpenedFile", "is a program; drop a plan, a model or a machine instead") },
    { "version https://git-lfs", 23, 0,
        QT_TRANSLATE_NOOP("OpenedFile",
            "is a Git LFS pointer: the file itself was not downloaded; run 'git lfs pull' there") },
};

// Eight bytes of length, then a JSON header.
bool isSafetensors(const QByteArray& prefix)
{
    return prefix.size() > 9 && prefix[8] == '{' && prefix[7] == '\0' && prefix[6] == '\0';
}

QString strangeText(const QByteArray& prefix)
{
    const QByteArray text = prefix.trimmed();
    if (text.startsWith("<!DOCTYPE html") || text.startsWith("<html"))
        return Words::tr(QT_TRANSLATE_NOOP(
            "OpenedFile", "is a web page; download the file itself, not the page that shows it"));
    if (text.startsWith("<svg") || (text.startsWith("<?xml") && text.contains("<svg")))
        return Words::tr(kPicture);
    if (text.startsWith("<"))
        return Words::tr(QT_TRANSLATE_NOOP("OpenedFile",
            "is XML, which this version does not read; choose a known machine, or write one with "
            "'stageloom topology show local --json'"));
    if (text.contains("GPU0") && text.contains("CPU Affinity"))
        return Words::tr(QT_TRANSLATE_NOOP("OpenedFile",
            "is the text of 'nvidia-smi topo -m', which this version does not read; choose a known "
            "machine and unplug what yours lacks"));
    if (text.startsWith("node") && text.contains("forward_compute_time="))
        return Words::tr(QT_TRANSLATE_NOOP("OpenedFile",
            "is a PipeDream profile graph, which this version does not read; open the model's "
            "config.json and choose “Profile on this machine”"));
    return {};
}

} // namespace

QString strangeContent(const QByteArray& prefix)
{
    for (const Signature& known : kSignatures)
        if (prefix.mid(known.offset, known.size) == QByteArray(known.bytes, known.size))
            return Words::tr(known.text);
    if (isSafetensors(prefix))
        return Words::tr(kWeights);
    if (prefix.contains('\0'))
        return Words::tr(QT_TRANSLATE_NOOP("OpenedFile",
            "is a binary file; drop a plan, a config.json or a machine, which are JSON text"));
    return strangeText(prefix);
}

} // namespace stageloom
