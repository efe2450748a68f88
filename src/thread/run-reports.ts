// Who is notified of a run's end, as its request or hook says. Stored with the run.

import type { Callback } from '../callbacks/api.ts'

export interface RunReports {
  readonly callback?: Callback
}
