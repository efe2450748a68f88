// Local files that are sent with a message. Reads only named files, and holds none in memory.

import { openAsBlob } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'

import { FILE_MAX_BYTES } from '../../src/limits/settings.ts'
import { err, ok, type Result } from '../../src/lib/result.ts'
import { explainFailure, type Server } from '../lib/server.ts'

import type { FileInfo } from '../../src/thread/api.ts'

export interface Attachment {
  readonly name: string
  readonly data: Blob
}

/** The files that --file named, in order, or why one of them cannot be sent. */
export async function openAttachments(
  paths: readonly string[],
): Promise<Result<readonly Attachment[], string>> {
  const opened: Attachment[] = []
  for (const path of paths) {
    const attachment = await open(path)
    if (!attachment.ok) return err(`--file ${path}: ${attachment.error}`)
    opened.push(attachment.value)
  }
  return ok(opened)
}

async function open(path: string): Promise<Result<Attachment, string>> {
  try {
    const found = await stat(path)
    if (found.isDirectory()) return err('this is a folder; name the files in it, each with its own --file.')
    // A pipe or a device has no size and may never end.
    if (!found.isFile()) return err('this is no plain file; write what it gives to one first.')
    if (found.size > FILE_MAX_BYTES)
      return err(`it has ${count(found.size)} bytes, and a file may have ${count(FILE_MAX_BYTES)}.`)
    return ok({ name: basename(path), data: await openAsBlob(path) })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null
    if (code === 'ENOENT' || code === 'ENOTDIR') return err('there is no such file.')
    return err(`it cannot be read (${String(error)}).`)
  }
}

/**
 * Uploads them into `threadId`, or into a new thread. Never retries a lost response: the files would be stored
 * twice.
 */
export async function sendAttachments(
  { client, url }: Pick<Server, 'client' | 'url'>,
  threadId: string | undefined,
  attachments: readonly Attachment[],
): Promise<Result<{ readonly threadId: string; readonly files: readonly FileInfo[] }, string>> {
  const thread = threadId === undefined ? await client.createThread() : ok(threadId)
  if (!thread.ok) {
    const { error } = thread
    // A server without this route reports an unknown path or method for POST /v1/threads.
    return error.kind === 'problem' && (error.problem.status === 404 || error.problem.status === 405)
      ? err(`${url} takes no files: it is of an older version. Update it, or ask without --file.`)
      : err(explainFailure(error, url))
  }
  const sent = await client.upload(thread.value, attachments)
  return sent.ok
    ? ok({ threadId: thread.value, files: sent.value })
    : err(`The files did not go up, and nothing was asked.\n${explainFailure(sent.error, url)}`)
}

function count(bytes: number): string {
  return bytes.toLocaleString('en-US')
}
