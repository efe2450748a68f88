// How a backup treats an endpoint: waiting events are not sent.

import type { ObjectRules } from '../backup/stored-object.ts'
import { readEndpoint, skipWaiting } from './rows.ts'
import { ENDPOINT_MIGRATIONS, ENDPOINT_TABLES } from './schema.ts'

export const ENDPOINT_BACKUP: ObjectRules = {
  tables: ENDPOINT_TABLES,
  migrations: ENDPOINT_MIGRATIONS,
  nameOf: (sql) => {
    const endpoint = readEndpoint(sql)
    return endpoint && `${endpoint.workspace}/${endpoint.id}`
  },
  pause: skipWaiting,
}
