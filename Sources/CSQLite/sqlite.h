/// The SQLite library of the system.
#include <sqlite3.h>
