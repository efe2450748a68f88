// The RPC interface of a Schedule object: plain data.

import type { BackupApi } from '../backup/api.ts'
import type { Result } from '../lib/result.ts'
import type { RunStarterApi } from '../webhooks/api.ts'
import type { RunOptions } from '../unattended/options.ts'
import type { ScheduleTimes } from './times.ts'

/** What an admin decides, and may change. */
export interface ScheduleFields extends ScheduleTimes, RunOptions {
  readonly name: string
  /** The message of each run; `{{date}}` and other placeholders stand for its planned time. */
  readonly message: string
  /** What happens to missed times: nothing, or one run for the newest of them. */
  readonly missed: 'skip' | 'once'
  /** `each`: every run gets a new thread. `one`: all runs go to one thread, in order. */
  readonly thread: 'each' | 'one'
}

export interface ScheduleConfig extends ScheduleFields {
  readonly id: string
  readonly workspace: string
  readonly created_at: string
}

export interface ScheduleView extends ScheduleConfig {
  /** `ended`: no planned time is left. */
  readonly state: 'active' | 'paused' | 'ended'
  /** The next planned times, in UTC; none while it is paused. */
  readonly next: readonly string[]
  /** How long after a planned time its run starts; 0 for a single time. */
  readonly starts_after_s: number
}

/** One planned time that has come, or one requested run. */
export interface OccurrenceInfo {
  /** Its position among all occurrences of the schedule. It increases with each. */
  readonly order: number
  readonly id: string
  /** In UTC; null for a requested run. */
  readonly planned_at: string | null
  /** `recorded`: its run waits to start. `dead`: it could not start, and `problem` says why. `skipped`: there is no run. */
  readonly state: 'recorded' | 'started' | 'dead' | 'skipped'
  readonly thread_id: string | null
  readonly run_id: string | null
  readonly recorded_at: string
  readonly tries: number
  readonly problem: string | null
}

export interface RequestedRun {
  readonly occurrence_id: string
  readonly thread_id: string
  readonly run_id: string
}

export interface ScheduleApi extends RunStarterApi, BackupApi {
  /** Creates the schedule. The configuration must have passed checkSchedule. */
  configure(config: ScheduleConfig): Promise<Result<ScheduleView>>
  view(workspace: string): Promise<Result<ScheduleView>>
  /** Replaces its fields. A time that is not handled yet stays planned, unless the times change. */
  change(workspace: string, fields: ScheduleFields): Promise<Result<ScheduleView>>
  /** Pauses or resumes the schedule. Times that pass while it is paused are not made up for. */
  setPaused(workspace: string, paused: boolean): Promise<Result<ScheduleView>>
  /** Starts a run now, once per `key`, also while it is paused. */
  run(workspace: string, build: string, key: string | null): Promise<Result<RequestedRun>>
  /** Lists occurrences, newest first. With `before`, lists only those with a lower `order`. */
  occurrences(
    workspace: string,
    limit: number,
    before: number | null,
  ): Promise<Result<readonly OccurrenceInfo[]>>
  remove(workspace: string): Promise<Result<null>>
  /**
   * If the schedule acts for this user, lets it act for nobody, so that only admins see its threads. Returns whether
   * it did.
   */
  forgetUser(workspace: string, user: string): Promise<Result<boolean>>
}
