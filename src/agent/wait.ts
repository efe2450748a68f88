// What a run waits for, as its readers see it. Plain data.

/**
 * `approval`: the call was not made yet, and a person decides whether it is. `server`: it was made, and its server still
 * works on it.
 */
export type WaitReason = 'approval' | 'server'

/** What a run's calls wait for, as its readers see it. */
export interface WaitDetails {
  readonly reason: WaitReason
  readonly tool_use_ids: readonly string[]
  /** When the longest of these waits began. */
  readonly since: string
  /** When the first of these waits ends at the latest. */
  readonly until: string
  /** Who may decide, if the calls wait for an approval: `owner` means the thread's owner or an admin. */
  readonly by?: 'owner' | 'admin'
  /** A sentence for people: who must decide, or which tool is still working. */
  readonly detail: string
}
