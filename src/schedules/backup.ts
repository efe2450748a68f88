// How a backup treats a schedule: it is restored as paused, and waiting occurrences are skipped.

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
