// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_baseline.h"

#include <QCryptographicHash>
#include <QSettings>
#include <algorithm>

namespace stageloom {

namespace {

// A path has characters that mean something in a key.
QString keyOf(const std::filesystem::path& store)
{
    const QByteArray path
        = QByteArray::fromStdString(std::filesystem::absolute(store).lexically_normal().string());
    return QStringLiteral("runs/baseline/")
        + QString::fromLatin1(
            QCryptographicHash::hash(path, QCryptographicHash::Sha1).toHex().left(16));
}

bool has(const std::vector<RunId>& runs, RunId run)
{
    return std::find(runs.begin(), runs.end(), run) != runs.end();
}

} // namespace

RunBaseline::RunBaseline(const std::filesystem::path& store, QObject* parent)
    : QObject(parent)
    , m_key(keyOf(store))
    , m_pinned { QSettings().value(m_key, 0).toLongLong() }
{
}

void RunBaseline::pin(RunId run)
{
    m_pinned = run;
    if (run.valid())
        QSettings().setValue(m_key, QVariant::fromValue<qlonglong>(run.value));
    else
        QSettings().remove(m_key);
    emit changed();
}

void RunBaseline::toggle(RunId run)
{
    pin(run == m_pinned ? RunId {} : run);
}

void RunBaseline::drop()
{
    if (m_pinned.valid())
        pin({});
}

std::vector<RunId> RunBaseline::compared(std::vector<RunId> chosen) const
{
    if (chosen.empty())
        return chosen;
    if (m_pinned.valid() && !has(chosen, m_pinned))
        chosen.push_back(m_pinned);
    const auto base = m_pinned.valid() ? std::find(chosen.begin(), chosen.end(), m_pinned)
                                       : std::min_element(chosen.begin(), chosen.end());
    std::rotate(chosen.begin(), base, base + 1);
    return chosen;
}

std::vector<RunId> RunBaseline::shown(std::vector<RunId> chosen) const
{
    if (m_pinned.valid() && !has(chosen, m_pinned))
        chosen.push_back(m_pinned);
    return chosen;
}

} // namespace stageloom
