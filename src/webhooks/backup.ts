// What a backup does with a hook: its deliveries that wait come back paused.

import type { ObjectRules } from '../backup/stored-object.ts'
import { workspaceOf } from './hook-id.ts'
import { readHook } from './hook-rows.ts'
import { pauseDeliveries } from './paused-rows.ts'
import { HOOK_MIGRATIONS, HOOK_TABLES } from './schema.ts'

export const HOOK_BACKUP: ObjectRules = {
  tables: HOOK_TABLES,
  migrations: HOOK_MIGRATIONS,
  nameOf: (sql) => {
    const hook = readHook(sql)
    return hook && workspaceOf(hook.id) === hook.workspace ? hook.id : null
  },
  pause: pauseDeliveries,
}
