// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/plot_sheet.h"

#include "ui/theme/theme.h"
#include "ui/widgets/panel.h"
#include <QGridLayout>
#include <QImage>
#include <QLabel>
#include <QSvgGenerator>
#include <qcustomplot.h>

namespace stageloom {

namespace {

constexpr int kLegendRow = 18; // px, in pictures

} // namespace

PlotSheet::PlotSheet(int columns, QWidget* parent)
    : QWidget(parent)
    , m_grid(new QGridLayout(this))
    , m_columns(columns)
{
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(Theme::kGap);
    m_grid->setVerticalSpacing(2);
    for (int column = 0; column < columns; ++column)
        m_grid->setColumnStretch(column, 1);
}

CurvePlot& PlotSheet::addPlot(const QString& title, const QString& unit)
{
    auto* plot = new CurvePlot;
    plot->setMinimumSize(120, 60);
    plot->setNamesAxis(false); // the same for all of them
    plot->setAccessibleName(title);
    const auto number = static_cast<int>(m_plots.size());
    const int row = 2 * (number / m_columns), column = number % m_columns;
    const Head head { makeLabel(title, "value"), makeLabel(unit, "caption"),
        makeLabel({}, "value") };
    QFont bold = theme().valueFont();
    bold.setWeight(QFont::DemiBold);
    head.title->setFont(bold);
    head.unit->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    head.value->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    auto* line = new QHBoxLayout;
    line->setSpacing(8);
    line->addWidget(head.title);
    line->addWidget(head.unit, 1);
    line->addWidget(head.value);
    m_grid->addLayout(line, row, column);
    m_grid->addWidget(plot, row + 1, column);
    m_grid->setRowStretch(row + 1, 1);
    constexpr int kLeastRow = 90; // px, with its head
    setMinimumHeight((row / 2 + 1) * kLeastRow);
    m_plots.push_back(plot);
    m_heads.push_back(head);
    const auto pass = [this, plot](auto change) {
        if (std::exchange(m_passing, true))
            return;
        for (CurvePlot* other : m_plots)
            if (other != plot)
                change(*other);
        m_passing = false;
    };
    connect(plot, &CurvePlot::cursorMoved, this, [this, pass](const std::optional<double>& at) {
        m_cursor = at;
        pass([&at](CurvePlot& other) { other.setCursor(at); });
        emit cursorMoved(at);
    });
    connect(plot, &CurvePlot::rangeChosen, this, [pass](double left, double right) {
        pass([=](CurvePlot& other) { other.setRange(left, right); });
    });
    connect(plot, &CurvePlot::fitChosen, this, [pass](bool whole) {
        pass([whole](CurvePlot& other) { whole ? other.fitAll() : other.fit(); });
    });
    return *plot;
}

void PlotSheet::setUnit(std::size_t plot, const QString& unit)
{
    m_heads[plot].unit->setText(unit);
    m_heads[plot].unit->setToolTip(unit);
}

void PlotSheet::setValue(std::size_t plot, const QString& text, const QColor& colour)
{
    QPalette palette = m_heads[plot].value->palette();
    palette.setColor(QPalette::WindowText, colour);
    m_heads[plot].value->setPalette(palette);
    m_heads[plot].value->setText(text);
}

void PlotSheet::setAxis(CurveAxis axis)
{
    m_cursor.reset();
    for (CurvePlot* plot : m_plots)
        plot->setAxis(axis);
    emit cursorMoved(m_cursor);
}

void PlotSheet::setSmoothing(double weight)
{
    for (CurvePlot* plot : m_plots)
        plot->setSmoothing(weight);
}

void PlotSheet::setLogarithmic(bool on)
{
    for (CurvePlot* plot : m_plots)
        plot->setLogarithmic(on);
}

void PlotSheet::setReadsOut(bool on)
{
    for (CurvePlot* plot : m_plots)
        plot->setReadsOut(on);
}

void PlotSheet::fitAll()
{
    for (CurvePlot* plot : m_plots)
        plot->fitAll();
}

QSize PlotSheet::pictureSize() const
{
    const auto curves = static_cast<int>(m_plots.empty() ? 0 : m_plots.front()->curves().size());
    return { std::max(width(), 480), std::max(height(), 320) + kLegendRow * curves + 8 };
}

void PlotSheet::paintAll(QPainter& painter)
{
    const QSize size = pictureSize();
    const Theme& t = theme();
    painter.fillRect(QRect({}, size), t.panel);
    const int rows = (static_cast<int>(m_plots.size()) + m_columns - 1) / m_columns;
    const auto curves = m_plots.front()->curves();
    const int each = (size.height() - kLegendRow * static_cast<int>(curves.size()) - 8) / rows;
    const int wide = size.width() / m_columns;
    for (std::size_t i = 0; i < m_plots.size(); ++i) {
        const auto number = static_cast<int>(i);
        const QRect place(number % m_columns * wide, number / m_columns * each, wide, each);
        painter.setFont(t.titleFont());
        painter.setPen(t.text);
        painter.drawText(place.adjusted(8, 0, 0, 0), Qt::AlignTop,
            m_heads[i].title->text() + QStringLiteral("   ") + m_heads[i].unit->text());
        m_plots[i]->paintOn(painter, place.adjusted(0, 20, -8, 0));
    }
    painter.setFont(t.captionFont());
    int y = rows * each + 4;
    for (const auto& [name, colour, dash] : curves) {
        painter.setPen(QPen(colour, 2, dash));
        painter.drawLine(8, y + kLegendRow / 2, 36, y + kLegendRow / 2);
        painter.setPen(t.text);
        painter.drawText(QRect(44, y, size.width() - 44, kLegendRow), Qt::AlignVCenter, name);
        y += kLegendRow;
    }
}

bool PlotSheet::savePng(const QString& path)
{
    constexpr int kScale = 2;
    QImage image(pictureSize() * kScale, QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(kScale);
    QCPPainter painter(&image);
    paintAll(painter);
    return painter.end() && image.save(path, "PNG");
}

bool PlotSheet::saveSvg(const QString& path)
{
    QSvgGenerator svg;
    svg.setFileName(path);
    svg.setSize(pictureSize());
    svg.setViewBox(QRect({}, pictureSize()));
    QCPPainter painter;
    if (!painter.begin(&svg))
        return false;
    paintAll(painter);
    return painter.end();
}

} // namespace stageloom
