// The build of skills that this Worker serves: the compiled one or, while skills are edited locally, the newest one pushed.

import { BUILD_DIGEST } from '../../skills/build-digest.ts'

let pushed: string | null = null

export function currentBuild(): string {
  return pushed ?? BUILD_DIGEST
}

/** Only the local server exposes the route that calls this. */
export function servePushedBuild(digest: string): void {
  pushed = digest
}
