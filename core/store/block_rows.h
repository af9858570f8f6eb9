// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/ids.h"
#include "core/store/sql.h"
#include <string_view>
#include <vector>

// A run's rows of column blocks: what metrics and spans share. Private to the store.
namespace stageloom::sql {

template <typename Item> struct BlockForm {
    const char* what; // "spans", for sentences
    const char* lastBlock; // SELECT block, items, data of the run's last block
    std::size_t size; // items of a whole block
    // Appends a block's items.
    Status (*unpack)(std::string_view blob, std::size_t count, std::vector<Item>& items);
    void (*write)(SQLite::Database& db, RunId id, std::int64_t number, const std::vector<Item>&);
};

// Appends the items of a row (block, items, data).
template <typename Item>
Status unpackRow(const Database& database, const SQLite::Statement& row, RunId id,
    const BlockForm<Item>& form, std::vector<Item>& items)
{
    const SQLite::Column data = row.getColumn(2);
    const Status status
        = form.unpack({ static_cast<const char*>(data.getBlob()), std::size_t(data.getBytes()) },
            std::size_t(row.getColumn(1).getInt64()), items);
    if (!status)
        return fail(ErrorKind::Invalid, "{} of run {}, block {}, in {}: {}", form.what, id.value,
            row.getColumn(0).getInt64(), database.file().string(), status.error().message);
    return {};
}

// A block that is not full takes the next items in.
template <typename Item>
Status appendItems(
    Database& database, RunId id, const BlockForm<Item>& form, const std::vector<Item>& items)
{
    if (items.empty())
        return {};
    return write(database, [&]() -> Status {
        SQLite::Database& db = database.raw();
        SQLite::Statement last(db, form.lastBlock);
        last.bind(1, id.value);
        std::int64_t number = 0;
        std::vector<Item> block;
        if (last.executeStep()) {
            number = last.getColumn(0).getInt64();
            if (std::size_t(last.getColumn(1).getInt64()) >= form.size)
                ++number;
            else if (const Status status = unpackRow(database, last, id, form, block); !status)
                return status;
        }
        for (const Item& item : items) {
            block.push_back(item);
            if (block.size() == form.size) {
                form.write(db, id, number++, block);
                block.clear();
            }
        }
        if (!block.empty())
            form.write(db, id, number, block);
        return {};
    });
}

} // namespace stageloom::sql
