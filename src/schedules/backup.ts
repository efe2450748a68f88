// What a backup does with a schedule: it comes back paused, and occurrences that wait are skipped.

import type { ObjectRules } from '../backup/stored-object.ts'
import { pauseRestored, readSchedule } from './rows.ts'
import { SCHEDULE_MIGRATIONS, SCHEDULE_TABLES } from './schema.ts'

export const SCHEDULE_BACKUP: ObjectRules = {
  tables: SCHEDULE_TABLES,
  migrations: SCHEDULE_MIGRATIONS,
  nameOf: (sql) => {
    const schedule = readSchedule(sql)
    return schedule && `${schedule.workspace}/${schedule.id}`
  },
  pause: pauseRestored,
}
