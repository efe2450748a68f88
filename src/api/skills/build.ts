// Which build of skills this Worker serves: the one compiled in, or, while skills are edited locally, the newest pushed.

import { BUILD_DIGEST } from '../../skills/build-digest.ts'

let pushed: string | null = null

export function currentBuild(): string {
  return pushed ?? BUILD_DIGEST
}

/** Only the local server opens the route that calls this. */
export function servePushedBuild(digest: string): void {
  pushed = digest
}
