// Selects the build of skills that this Worker serves: the bundled one or, while skills are edited locally, the latest pushed one.

import { BUILD_DIGEST } from '../../skills/build-digest.ts'

let pushed: string | null = null

export function currentBuild(): string {
  return pushed ?? BUILD_DIGEST
}

/** Switches to a pushed build. Only a local server exposes the route that calls this. */
export function servePushedBuild(digest: string): void {
  pushed = digest
}
