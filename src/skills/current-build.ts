// Selects the build of skills that this Worker serves: the bundled build or, while skills are edited locally, the latest pushed build.

import { BUILD_DIGEST } from './build-digest.ts'

let pushedBuild: string | null = null

export function currentBuild(): string {
  return pushedBuild ?? BUILD_DIGEST
}

/** Switches to a pushed build. Only a local server exposes the route that calls this. */
export function servePushedBuild(digest: string): void {
  pushedBuild = digest
}
