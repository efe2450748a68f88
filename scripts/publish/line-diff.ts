// The lines in which a file differs from the live one, sanitised and truncated for people.

import { DIFF_LINE_MAX_CHARS } from './limits.ts'
import { unifiedDiff } from '../../src/skills/package/unified-diff.ts'
import { harmless } from '../lib/terminal.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** A unified diff without a final line break; if there is none, one line with the reason. */
export function lineDiff(path: string, before: Bytes, after: Bytes): string {
  const { diff, reason } = unifiedDiff(path, before, after)
  const text = diff ?? `${path}: ${reason}; ${before.length} bytes before and ${after.length} now`
  return text.trimEnd().split('\n').map(harmlessDiffLine).join('\n')
}

function harmlessDiffLine(line: string): string {
  const harmlessText = harmless(line.replaceAll('\r', ''))
  return harmlessText.length > DIFF_LINE_MAX_CHARS
    ? `${harmlessText.slice(0, DIFF_LINE_MAX_CHARS)}…`
    : harmlessText
}
