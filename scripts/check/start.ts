// Checks how much code the Worker evaluates before its first request, which determines how fast an isolate starts, and that the code
// for MCP servers is not part of it.

import { measureStartCode, type StartCode } from '../workerd/bundle.ts'
import { START_CODE_LATE, START_CODE_MAX_BYTES } from './limits.ts'
import { kilobytes } from './size.ts'

/** Measures the code. `note` is the size as text; `problem` is a message if it exceeds the limit, or null. */
export async function checkStart(
  root: string,
): Promise<{ readonly note: string; readonly problem: string | null }> {
  const evaluated = await measureStartCode(root, 'src/index.ts')
  const note = `${kilobytes(evaluated.bytes)} of ${kilobytes(evaluated.allBytes)} KB, ${evaluated.modules} modules`
  return { note, problem: startCodeProblem(evaluated) ?? lateCodeProblem(evaluated) }
}

/** A message if the size exceeds the limit, or null. */
export function startCodeProblem({ bytes }: Pick<StartCode, 'bytes'>): string | null {
  return bytes <= START_CODE_MAX_BYTES
    ? null
    : `The Worker evaluates ${kilobytes(bytes)} KB before its first request; the limit is ${kilobytes(START_CODE_MAX_BYTES)} KB (START_MAX_BYTES). Import code that few requests need with await import('…') where it is used.`
}

/** A message if code is evaluated that must be imported late, or null. */
export function lateCodeProblem({ files }: Pick<StartCode, 'files'>): string | null {
  const early = files.filter((file) => START_CODE_LATE.test(file))
  return early.length === 0
    ? null
    : `The Worker evaluates ${early.join(', ')} before its first request, although only those who have such a server need it. Import it with await import('…').`
}
