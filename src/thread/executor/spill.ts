// A long result of a tool that does not limit its results: the full text goes to a file, and the model gets
// its beginning and end.

import type { ToolResult } from '../../agent/tool.ts'
import { fullPath } from '../../files/path.ts'
import { growthOf } from '../../files/tree-access.ts'
import { sha256Hex, utf8 } from '../../lib/bytes.ts'
import { redact } from '../../lib/redact.ts'
import { SPILL_ABOVE_CHARS, SPILL_HEAD_CHARS, SPILL_TAIL_CHARS } from './limits.ts'
import { spaceOwner, reserveSpace } from './file-space.ts'
import type { Parts } from '../parts.ts'
import type { JournalCall } from '../rows/journal.ts'

type Thread = Parts<'ctx' | 'row' | 'files', 'now' | 'quotas' | 'store' | 'newId' | 'workspace'>

export interface SpilledResult {
  readonly result: ToolResult
  /**
   * Replaces `result` if there is no space for the file: the tool has already acted, so its text is still
   * needed. Null if `result` needs no file.
   */
  readonly fallback: ToolResult | null
}

/**
 * Returns a short result unchanged; otherwise its beginning and end, with the file among its changes. Never
 * rejects.
 */
export async function spillLongResult(
  thread: Thread,
  call: JournalCall,
  result: ToolResult,
): Promise<SpilledResult> {
  const { row, files, ports } = thread
  const { content } = result
  if (typeof content !== 'string' || content.length <= SPILL_ABOVE_CHARS) return { result, fallback: null }
  const text = redact(content).toWellFormed()
  const path = unusedPath(files, call)
  const notStored = (why: string): SpilledResult => ({
    result: { ...result, content: headAndTail(text, `The rest could not be stored: ${why}`) },
    fallback: null,
  })
  try {
    const bytes = utf8(text)
    const quotas = await ports.quotas(row.data.workspace)
    if (!quotas.ok) return notStored(quotas.error.detail)
    const sha256 = await sha256Hex(bytes)
    const bodyWithoutData = { sha256, bytes: bytes.length, data: null, object: null }
    const check = files.check([{ path, body: bodyWithoutData, expect: null }], quotas.value)
    if (!check.ok) return notStored(check.error.detail)
    const reserved = await reserveSpace(
      spaceOwner(thread),
      ...growthOf(files, [{ path, body: bodyWithoutData }]),
      true,
    )
    if (!reserved.ok) return notStored(reserved.error.detail)
    const body = await files.storeBody(bytes, sha256, ports.store, () => ports.newId('obj'), ports.now())
    const note = `All ${text.length} characters are in ${fullPath(path)}: read them with read_file and a range of lines, or search them with grep.`
    const changes = [...(result.changes ?? []), { path, body, expect: null }]
    return {
      result: { ...result, content: headAndTail(text, note), changes },
      fallback: notStored('another write used the space meanwhile.').result,
    }
  } catch {
    return notStored('the store could not be reached. Request less data.')
  }
}

/** Returns an unused path, because a person may already have uploaded a file with the default name. */
function unusedPath(files: Thread['files'], { name, message, ord }: JournalCall): string {
  const base = `workspace/results/${name.replace(/[^\w-]+/g, '-').slice(0, 64)}-${message}-${ord}`
  for (let number = 1; ; number++) {
    const path = number === 1 ? `${base}.txt` : `${base}-${number}.txt`
    if (!files.get(path) && files.pathVariant(path) === null) return path
  }
}

function headAndTail(text: string, note: string): string {
  const head = text.slice(0, SPILL_HEAD_CHARS).toWellFormed()
  const tail = text.slice(-SPILL_TAIL_CHARS).toWellFormed()
  return `${head}\n[… ${text.length - SPILL_HEAD_CHARS - SPILL_TAIL_CHARS} characters left out here. ${note}]\n${tail}`
}
