// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/database.h"
#include <vector>

namespace stageloom {

// One step of the store's schema. Once released it is never edited: a change is a new step.
struct Migration {
    int version = 0;
    int minReadable = 0; // the oldest version of this program's schema that can still use the file
    const char* description = "";
    const char* sql = "";
    bool readerNeedsIt = true; // false: who only reads an older file misses nothing
};

const std::vector<Migration>& storeMigrations();

// Brings the file to the last of `steps`, each in its own transaction. A file that is newer is left
// alone where its minimum readable version allows, refused otherwise.
Status migrate(Database& database, const std::vector<Migration>& steps);
// The same decision without writing: an older file is refused.
Status checkReadable(const Database& database, const std::vector<Migration>& steps);

} // namespace stageloom
