// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/file_kind.h"
#include "ui/theme/text.h"

#include "core/base/units.h"
#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>

namespace stageloom {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(OpenedFile)
};

QString size(qint64 bytes)
{
    return bytesText(static_cast<double>(bytes));
}

OpenedFile refused(const QString& path, const QString& sentence)
{
    return { path, sentence, {} };
}

template <typename T> OpenedFile opened(const QString& path, Result<T> content)
{
    if (!content)
        return refused(path, QString::fromStdString(content.error().message));
    return { path, QString(), std::move(*content) };
}

bool hasAny(const Json& document, std::initializer_list<const char*> keys)
{
    return std::any_of(
        keys.begin(), keys.end(), [&](const char* key) { return document.contains(key); });
}

// A document that another command of ours wrote, or a known kind of stranger; empty: neither.
QString knownStranger(const Json& document)
{
    if (hasAny(document, { "plans" }))
        return Words::tr(
            "%1 is the planner's answer; write its best plan with 'stageloom plan … -o "
            "best.plan.json' and open that.");
    if (hasAny(document, { "traceEvents", "spans" }))
        return Words::tr("%1 is a trace; open the run it belongs to on the Runs page.");
    if (document.contains("family") && document.contains("layers"))
        return Words::tr(
            "%1 is what 'stageloom model show' printed; open the model's config.json.");
    if (hasAny(document, { "weight_map" }))
        return Words::tr("%1 is an index of weights; open the config.json that lies beside it.");
    if (hasAny(document, { "added_tokens", "tokenizer_class" }))
        return Words::tr("%1 belongs to a tokenizer; open the config.json that lies beside it.");
    return {};
}

bool isProfile(const Json& document)
{
    const auto layers = document.find("layers");
    return layers != document.end() && layers->is_array() && !layers->empty()
        && layers->front().is_object() && layers->front().contains("forward");
}

OpenedFile readDocument(const QString& path, const Json& document)
{
    const std::string file = path.toStdString();
    const QString name = QFileInfo(path).fileName();
    if (!document.is_object())
        return refused(path,
            Words::tr(
                "%1 is JSON, but no object in braces; a plan, a model's config.json or a machine "
                "is one.")
                .arg(name));
    if (document.contains("stages") && hasAny(document, { "schedule", "model", "topology" }))
        return opened(path, planFromJson(document, file));
    if (const QString stranger = knownStranger(document); !stranger.isEmpty())
        return refused(path, stranger.arg(name));
    if (document.contains("devices"))
        return opened(path, topologyFromJson(document, file));
    if (isProfile(document))
        return opened(path, profileFromJson(document, file));
    if (hasAny(document,
            { "model_type", "architectures", "hidden_size", "n_embd", "num_hidden_layers" }))
        return opened(path, readModel(file, {}));
    return refused(path,
        Words::tr(
            "%1 is JSON, but neither a plan (it has no “stages”), nor a model (no “model_type”), "
            "nor a machine (no “devices”); check that it is the file you meant.")
            .arg(name));
}

OpenedFile readFolder(const QString& path)
{
    const QDir folder(path);
    if (!folder.isReadable() && !folder.exists(QStringLiteral("config.json")))
        return refused(
            path, Words::tr("The folder %1 may not be read; allow it with chmod +rx.").arg(path));
    if (folder.exists(QStringLiteral("config.json")))
        return readAnyFile(folder.filePath(QStringLiteral("config.json")));
    return refused(path,
        Words::tr(
            "The folder %1 holds no config.json; drop the folder of a Hugging Face model, or a "
            "file.")
            .arg(path));
}

// Why a path that names nothing readable cannot be opened; empty: it is a regular file.
QString placeProblem(const QString& path, const QFileInfo& info)
{
    if (info.isSymLink() && !info.exists())
        return Words::tr("%1 is a link to %2, which does not exist; drop the file itself.")
            .arg(info.fileName(), info.symLinkTarget());
    if (!info.exists())
        return Words::tr("%1 does not exist; check the spelling, or whether it was moved.")
            .arg(path);
    if (!info.isFile())
        return Words::tr("%1 is a device, a pipe or a socket; drop a file.").arg(path);
    if (info.size() == 0)
        return Words::tr("%1 is empty; drop a plan, a model's config.json or a machine.")
            .arg(info.fileName());
    return {};
}

} // namespace

OpenedFile readAnyFile(const QString& given)
{
    const QFileInfo info(given);
    const QString path = info.absoluteFilePath(), name = info.fileName();
    if (info.isDir())
        return readFolder(path);
    if (const QString problem = placeProblem(path, info); !problem.isEmpty())
        return refused(path, problem);
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return refused(path,
            Words::tr("%1 cannot be read: %2; check its permissions.")
                .arg(path, file.errorString()));
    const QByteArray prefix = file.read(kPrefixBytes);
    if (const QString strange = strangeContent(prefix); !strange.isEmpty())
        return refused(path, QStringLiteral("%1 %2.").arg(name, strange));
    if (file.size() > kMostFileBytes)
        return refused(path,
            Words::tr(
                "%1 holds %2, and plans, models and machines are text of at most %3; drop the "
                "config.json or the plan instead.")
                .arg(name, size(file.size()), size(kMostFileBytes)));
    const QByteArray text = prefix + file.readAll();
    if (file.error() != QFileDevice::NoError)
        return refused(path, Words::tr("%1 cannot be read: %2.").arg(path, file.errorString()));
    const Result<Json> document = parseJson(text.toStdString(), name.toStdString());
    if (!document)
        return refused(path, QString::fromStdString(document.error().message));
    return readDocument(path, *document);
}

} // namespace stageloom
