// Checks how much code the Worker evaluates before its first request, which determines how fast an isolate starts.

import { evaluatedAtStart, type Evaluated } from '../workerd/bundle.ts'
import { START_MAX_BYTES } from './limits.ts'
import { kilobytes } from './size.ts'

/** Measures the code. `note` is the size as text; `complaint` is a message if it exceeds the limit, or null. */
export async function checkStart(
  root: string,
): Promise<{ readonly note: string; readonly complaint: string | null }> {
  const evaluated = await evaluatedAtStart(root, 'src/index.ts')
  const note = `${kilobytes(evaluated.bytes)} of ${kilobytes(evaluated.allBytes)} KB, ${evaluated.modules} modules`
  return { note, complaint: tooMuchAtStart(evaluated) }
}

/** A message if the size exceeds the limit, or null. */
export function tooMuchAtStart({ bytes }: Pick<Evaluated, 'bytes'>): string | null {
  return bytes <= START_MAX_BYTES
    ? null
    : `The Worker evaluates ${kilobytes(bytes)} KB before its first request; the limit is ${kilobytes(START_MAX_BYTES)} KB (START_MAX_BYTES). Import code that few requests need with await import('…') where it is used.`
}
