// Makes a file name from a title. Pure.

import { EXPORT_NAME_CHARS_MAX } from './limits.ts'

/** Characters that a file system or shell treats specially, control characters, and those that change the direction of text. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}/\\:*?"<>|%$`~]+/gu
/** Names of devices on Windows. */
const DEVICES = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/** A name without an extension that is valid on all systems, and is neither hidden nor a path. */
export function exportName(title: string): string {
  const cleaned = title.replaceAll(UNSAFE, ' ').replaceAll(/\s+/g, ' ')
  const name = Array.from(cleaned.replace(/^[\s.-]+/, ''))
    .slice(0, EXPORT_NAME_CHARS_MAX)
    .join('')
    .replace(/[\s.]+$/, '')
  return name === '' || DEVICES.test(name) ? `Thread ${name}`.trim() : name
}
