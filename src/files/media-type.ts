// The media type of a file, by its name. What it says is told to readers and never acted on.

import { lookup } from 'mrmime'

/** `application/octet-stream` where the name tells nothing. */
export function mediaTypeOf(path: string): string {
  return lookup(path) ?? 'application/octet-stream'
}
