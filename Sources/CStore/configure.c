#include "CStore.h"

#include <sqlite3.h>

int telecap_defend(struct sqlite3 *connection) {
  int result = sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, (int *)0);
  if (result == SQLITE_OK) result = sqlite3_db_config(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
  if (result == SQLITE_OK) result = sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
  return result;
}

int telecap_refuse_quoted_text(struct sqlite3 *connection) {
  int result = sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DDL, 0, (int *)0);
  if (result == SQLITE_OK) result = sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DML, 0, (int *)0);
  return result;
}
