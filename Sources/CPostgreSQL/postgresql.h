/// The PostgreSQL library of the system.
#include <libpq-fe.h>
