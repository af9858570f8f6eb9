// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/model/layers_model.h"

#include "ui/theme/text.h"
#include "ui/theme/theme.h"
#include <algorithm>
#include <cmath>
#include <limits>

namespace stageloom {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr int kMostUnit = 5;

bool areEqual(const Layer& a, const Layer& b)
{
    return a.kind == b.kind && a.parameters == b.parameters && a.forwardFlops == b.forwardFlops
        && a.outputBytes == b.outputBytes && a.stashBytes == b.stashBytes;
}

QString shapeText(const std::vector<std::int64_t>& shape)
{
    QStringList sides;
    for (const std::int64_t side : shape)
        sides << QString::fromStdString(groupDigits(side));
    return sides.join(QStringLiteral(" × "));
}

bool isTime(int column)
{
    return column == LayersModel::Forward || column == LayersModel::Backward;
}

double unitSize(int column, int unit)
{
    if (isTime(column))
        return std::pow(1e-3, unit);
    const bool bytes = column == LayersModel::Output || column == LayersModel::Stash;
    return std::pow(bytes ? 1024.0 : 1000.0, unit);
}

// At most three digits that matter.
QString number(double value)
{
    if (!(std::abs(value) > 0))
        return QStringLiteral("–");
    if (value < 0.005)
        return QStringLiteral("<0.01");
    if (value >= 99.95)
        return QString::fromStdString(groupDigits(std::llround(value)));
    return QString::number(value, 'f', value >= 9.995 ? 1 : 2);
}

} // namespace

ModelOperators operatorsOf(const Model& model)
{
    ModelOperators made;
    for (const LayerKind kind :
        { LayerKind::Embedding, LayerKind::Block, LayerKind::Norm, LayerKind::Head })
        if (auto parts = operatorsOf(model, kind))
            made[kind] = std::move(*parts);
    return made;
}

QColor partColour(Operator::Part part)
{
    const Theme& look = theme();
    switch (part) {
    case Operator::Part::Attention:
        return look.memory[1];
    case Operator::Part::Mlp:
        return look.memory[0];
    case Operator::Part::Other:
        break;
    }
    return look.memory[2];
}

void LayersModel::setModel(const std::optional<Model>& model)
{
    beginResetModel();
    m_model = model;
    m_profile.reset();
    m_operators = model ? stageloom::operatorsOf(*model) : ModelOperators {};
    build();
    endResetModel();
}

int LayersModel::add(const Place& place, int parent)
{
    const int id = static_cast<int>(m_rows.size());
    std::vector<int>& among
        = parent < 0 ? m_tops : m_rows[static_cast<std::size_t>(parent)].children;
    const int row = static_cast<int>(among.size());
    among.push_back(id);
    m_rows.push_back({ place, parent, row, {} });
    return id;
}

void LayersModel::build()
{
    m_rows.clear();
    m_tops.clear();
    const int count = m_model ? static_cast<int>(m_model->layers.size()) : 0;
    for (int first = 0, last = 0; first < count; first = last + 1) {
        const Layer& layer = m_model->layers[static_cast<std::size_t>(first)];
        for (last = first; last + 1 < count
             && areEqual(layer, m_model->layers[static_cast<std::size_t>(last) + 1]);)
            ++last;
        const int top = add({ first, last, -1, false }, -1);
        const int parts = static_cast<int>(m_operators[layer.kind].size());
        if (last > first)
            add({ first, last, -1, true }, top);
        for (int part = 0; parts > 1 && part < parts; ++part)
            add({ first, last, part, true }, top);
    }
    chooseUnits();
}

// The largest unit in which the largest of what is one layer's has two digits before the point.
void LayersModel::chooseUnits()
{
    for (int column = Parameters; column < ColumnCount; ++column) {
        double most = 0;
        for (const Row& row : m_rows)
            if (row.place.firstLayer == row.place.lastLayer || row.place.one)
                if (const double v = value(row, column); v > most)
                    most = v;
        int unit = 0;
        if (isTime(column))
            while (unit < 3 && most / unitSize(column, unit) < 1)
                ++unit;
        else
            while (unit < kMostUnit && most / unitSize(column, unit + 1) >= 10)
                ++unit;
        m_units[static_cast<std::size_t>(column)] = unit;
    }
}

void LayersModel::setProfile(const std::optional<Profile>& profile)
{
    m_profile = profile;
    if (m_profile && (!m_model || m_profile->layers.size() != m_model->layers.size()))
        m_profile.reset();
    chooseUnits();
    emit headerDataChanged(Qt::Horizontal, Name, Backward);
    const int tops = rowCount();
    if (tops > 0)
        emit dataChanged(index(0, 0), index(tops - 1, ColumnCount - 1));
    for (int top = 0; top < tops; ++top)
        if (const QModelIndex above = index(top, 0); rowCount(above) > 0)
            emit dataChanged(
                index(0, 0, above), index(rowCount(above) - 1, ColumnCount - 1, above));
}

LayersModel::Place LayersModel::placeOf(const QModelIndex& index) const
{
    return index.isValid() ? m_rows[index.internalId()].place : Place {};
}

QModelIndex LayersModel::indexOf(int layer, int part) const
{
    for (std::size_t id = 0; id < m_rows.size(); ++id) {
        const Row& row = m_rows[id];
        if (layer >= row.place.firstLayer && layer <= row.place.lastLayer && row.place.part == part)
            return createIndex(row.row, 0, static_cast<quintptr>(id));
    }
    return {};
}

QModelIndex LayersModel::index(int row, int column, const QModelIndex& parent) const
{
    const std::vector<int>& among
        = parent.isValid() ? m_rows[parent.internalId()].children : m_tops;
    if (row < 0 || row >= static_cast<int>(among.size()) || column < 0 || column >= ColumnCount)
        return {};
    return createIndex(row, column, static_cast<quintptr>(among[static_cast<std::size_t>(row)]));
}

QModelIndex LayersModel::parent(const QModelIndex& index) const
{
    if (!index.isValid())
        return {};
    const int above = m_rows[index.internalId()].parent;
    return above < 0
        ? QModelIndex()
        : createIndex(m_rows[static_cast<std::size_t>(above)].row, 0, static_cast<quintptr>(above));
}

int LayersModel::rowCount(const QModelIndex& parent) const
{
    if (!parent.isValid())
        return static_cast<int>(m_tops.size());
    return parent.column() == 0 ? static_cast<int>(m_rows[parent.internalId()].children.size()) : 0;
}

int LayersModel::columnCount(const QModelIndex&) const
{
    return ColumnCount;
}

const Operator* LayersModel::partOf(const Row& row) const
{
    const Layer& layer = m_model->layers[static_cast<std::size_t>(row.place.firstLayer)];
    const auto found = m_operators.find(layer.kind);
    if (found == m_operators.end())
        return nullptr;
    if (row.place.part >= 0)
        return &found->second[static_cast<std::size_t>(row.place.part)];
    return found->second.size() == 1 ? &found->second.front() : nullptr; // the layer is its part
}

double LayersModel::value(const Row& row, int column) const
{
    const Place& place = row.place;
    const Layer& layer = m_model->layers[static_cast<std::size_t>(place.firstLayer)];
    const Operator* part = place.part >= 0 ? partOf(row) : nullptr;
    const int count = place.lastLayer - place.firstLayer + 1, times = place.one ? 1 : count;
    switch (column) {
    case Parameters:
        return times * static_cast<double>(part != nullptr ? part->parameters : layer.parameters);
    case Flops:
        return times * (part != nullptr ? part->forwardFlops : layer.forwardFlops);
    case Output: // handed over one after the other: a sum would mean nothing
        return part != nullptr ? part->outputBytes : layer.outputBytes;
    case Stash:
        return times * (part != nullptr ? part->stashBytes : layer.stashBytes);
    default:
        break;
    }
    if (!m_profile || part != nullptr)
        return kNone; // layers are measured whole
    double sum = 0;
    for (int i = place.firstLayer; i <= place.lastLayer; ++i) {
        const LayerTime& time = m_profile->layers[static_cast<std::size_t>(i)];
        sum += column == Forward ? time.forward : time.backward;
    }
    return place.one ? sum / count : sum;
}

QString LayersModel::name(const Row& row) const
{
    const Place& place = row.place;
    const Layer& layer = m_model->layers[static_cast<std::size_t>(place.firstLayer)];
    if (place.part >= 0)
        return QString::fromStdString(partOf(row)->name);
    if (place.one)
        return tr("one block");
    if (place.lastLayer > place.firstLayer)
        return tr("block × %1").arg(place.lastLayer - place.firstLayer + 1);
    return QString::fromStdString(layer.name);
}

QString LayersModel::shape(const Row& row) const
{
    const Place& place = row.place;
    if (place.part < 0 && place.one)
        return m_profile ? tr("mean of %1").arg(place.lastLayer - place.firstLayer + 1) : QString();
    if (place.part < 0 && place.lastLayer > place.firstLayer)
        return tr("blocks %1–%2").arg(0).arg(place.lastLayer - place.firstLayer);
    const Operator* part = partOf(row);
    if (part == nullptr)
        return {};
    if (!part->weightShape.empty())
        return shapeText(part->weightShape);
    if (part->name == "attention")
        return m_model->shape.kvHeads == m_model->shape.heads
            ? tr("%1 heads").arg(m_model->shape.heads)
            : tr("%1 heads, %2 kv").arg(m_model->shape.heads).arg(m_model->shape.kvHeads);
    return tr("no weight");
}

QString LayersModel::text(const Row& row, int column) const
{
    if (column == Name)
        return name(row);
    if (column == Shape)
        return shape(row);
    const Operator* part = partOf(row);
    if (column == Parameters && part != nullptr && part->tiedParameters > 0
        && part->parameters == 0)
        return tr("tied");
    if (column == Stash && part != nullptr && !part->stashWith.empty())
        return tr("with %1").arg(QString::fromStdString(part->stashWith));
    const double v = value(row, column);
    return std::isnan(v) ? QStringLiteral("–")
                         : number(v / unitSize(column, m_units[static_cast<std::size_t>(column)]));
}

QString LayersModel::tip(const Row& row, int column) const
{
    const Operator* part = partOf(row);
    switch (column) {
    case Name:
        return name(row) + QStringLiteral("  ") + shape(row);
    case Parameters:
        if (part != nullptr && part->tiedParameters > 0)
            return tr("Uses the embedding's weight: no parameters of its own.");
        return tr("%1 parameters")
            .arg(QString::fromStdString(groupDigits(std::llround(value(row, column)))));
    case Flops:
        return tr("Forward pass of one sample; a multiply-add counts as 2. Look-ups, norms and "
                  "activations move bytes rather than compute.");
    case Output:
        return tr("What the next one receives for one sample.");
    case Stash:
        return tr("The stash: what forward keeps for backward for one sample, its input included.");
    default:
        return column == Shape || (part != nullptr && row.place.part >= 0)
            ? QString()
            : tr("Measured, a microbatch");
    }
}

QVariant LayersModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Row& row = m_rows[index.internalId()];
    const int column = index.column();
    switch (role) {
    case Qt::TextAlignmentRole:
        return QVariant((column <= Shape ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case Qt::DisplayRole:
        return text(row, column);
    case Qt::ToolTipRole:
        return tip(row, column);
    case Qt::AccessibleTextRole:
        return column <= Shape
            ? text(row, column)
            : headerData(column, Qt::Horizontal, Qt::AccessibleTextRole).toString() + u' '
                + text(row, column);
    case Qt::DecorationRole:
        return column == Name && row.place.part >= 0 ? QVariant(partColour(partOf(row)->part))
                                                     : QVariant();
    case ValueRole:
        return column <= Shape ? QVariant(text(row, column)) : QVariant(value(row, column));
    case StrongRole:
        return row.place.part < 0;
    default:
        return {};
    }
}

QVariant LayersModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant((section <= Shape ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignBottom);
    if (role != Qt::DisplayRole && role != Qt::AccessibleTextRole)
        return QAbstractItemModel::headerData(section, orientation, role);
    const QString names[] = { tr("Layer"), tr("Weight shape"), tr("Params"), tr("Forward"),
        tr("Output"), tr("Stash"), tr("Forward"), tr("Backward") };
    static constexpr const char* kCounts[] = { "", "k", "M", "B", "T", "P" };
    static constexpr const char* kFlops[] = { "FLOP", "kFLOP", "MFLOP", "GFLOP", "TFLOP", "PFLOP" };
    static constexpr const char* kBytes[] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB" };
    static constexpr const char* kTimes[] = { "s", "ms", "µs", "ns" };
    const auto unit = static_cast<std::size_t>(m_units[static_cast<std::size_t>(section)]);
    QString of;
    if (section == Parameters)
        of = QLatin1String(kCounts[unit]);
    else if (section == Flops)
        of = QLatin1String(kFlops[unit]);
    else if (section == Output || section == Stash)
        of = QLatin1String(kBytes[unit]);
    else if (isTime(section))
        of = QString::fromUtf8(kTimes[unit]);
    const QChar between = role == Qt::DisplayRole ? u'\n' : u' ';
    return of.isEmpty() ? names[section] : names[section] + between + of;
}

QString LayersModel::total(int column) const
{
    if (column == Name)
        return tr("Total");
    if (column == Shape)
        return tr("%n layer(s)", nullptr, m_model ? static_cast<int>(m_model->layers.size()) : 0);
    if (column == Output)
        return QStringLiteral("–");
    double sum = 0;
    for (const int top : m_tops)
        sum += value(m_rows[static_cast<std::size_t>(top)], column);
    return std::isnan(sum)
        ? QStringLiteral("–")
        : number(sum / unitSize(column, m_units[static_cast<std::size_t>(column)]));
}

} // namespace stageloom
