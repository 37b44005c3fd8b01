// SQLite for the broker's journal, with what Swift cannot take over: SQLITE_TRANSIENT, a cast of -1
// to a function pointer, and a code that is computed.
#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

#include <sqlite3.h>

// Both copy what they are given before they return.
static inline int bind_text(sqlite3_stmt *statement, int place, const char *text, int count) {
    return sqlite3_bind_text(statement, place, text ? text : "", count, SQLITE_TRANSIENT);
}

static inline int bind_bytes(sqlite3_stmt *statement, int place, const void *bytes, int count) {
    return sqlite3_bind_blob(statement, place, bytes ? bytes : "", count, SQLITE_TRANSIENT);
}

static const int database_has_moved = SQLITE_READONLY_DBMOVED;

#endif
