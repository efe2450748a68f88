// Checks how much code the Worker evaluates before its first request, which determines how fast an isolate starts.

import { measureStartCode, type StartCode } from '../workerd/bundle.ts'
import { START_CODE_MAX_BYTES } from './limits.ts'
import { kilobytes } from './size.ts'

/** Measures the code. `note` is the size as text; `problem` is a message if it exceeds the limit, or null. */
export async function checkStart(
  root: string,
): Promise<{ readonly note: string; readonly problem: string | null }> {
  const evaluated = await measureStartCode(root, 'src/index.ts')
  const note = `${kilobytes(evaluated.bytes)} of ${kilobytes(evaluated.allBytes)} KB, ${evaluated.modules} modules`
  return { note, problem: startCodeProblem(evaluated) }
}

/** A message if the size exceeds the limit, or null. */
export function startCodeProblem({ bytes }: Pick<StartCode, 'bytes'>): string | null {
  return bytes <= START_CODE_MAX_BYTES
    ? null
    : `The Worker evaluates ${kilobytes(bytes)} KB before its first request; the limit is ${kilobytes(START_CODE_MAX_BYTES)} KB (START_MAX_BYTES). Import code that few requests need with await import('…') where it is used.`
}
