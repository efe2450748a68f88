// Uploads local files with a message. Reads only the files that the user names, and streams them from disk.

import { openAsBlob } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'

import { FILE_CEILING_BYTES } from '../../src/limits/settings.ts'
import { err, ok, type Result } from '../../src/lib/result.ts'
import { explainFailure, type Server } from '../lib/server.ts'

import type { FileInfo } from '../../src/thread/api.ts'

export interface Attachment {
  readonly name: string
  readonly data: Blob
}

/** Opens the files given with --file, in order; the error says which one cannot be sent, and why. */
export async function openAttachments(
  paths: readonly string[],
): Promise<Result<readonly Attachment[], string>> {
  const attachments: Attachment[] = []
  for (const path of paths) {
    const attachment = await openAttachment(path)
    if (!attachment.ok) return err(`--file ${path}: ${attachment.error}`)
    attachments.push(attachment.value)
  }
  return ok(attachments)
}

async function openAttachment(path: string): Promise<Result<Attachment, string>> {
  try {
    const stats = await stat(path)
    if (stats.isDirectory()) return err('this is a folder; name each file in it with its own --file.')
    // A pipe or a device has no size and may never end.
    if (!stats.isFile()) return err('this is not a regular file; write its output to one first.')
    if (stats.size > FILE_CEILING_BYTES)
      return err(`it has ${formatCount(stats.size)} bytes; the limit is ${formatCount(FILE_CEILING_BYTES)}.`)
    return ok({ name: basename(path), data: await openAsBlob(path) })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null
    if (code === 'ENOENT' || code === 'ENOTDIR') return err('there is no such file.')
    return err(`it cannot be read (${String(error)}).`)
  }
}

/**
 * Uploads the attachments to `threadId`, or to a new thread. Never retries after a lost response, because the
 * files would be stored twice.
 */
export async function sendAttachments(
  { client, url }: Pick<Server, 'client' | 'url'>,
  threadId: string | undefined,
  attachments: readonly Attachment[],
): Promise<Result<{ readonly threadId: string; readonly files: readonly FileInfo[] }, string>> {
  const thread = threadId === undefined ? await client.createThread() : ok(threadId)
  if (!thread.ok) {
    const { error } = thread
    // A server without this route answers POST /v1/threads with 404 or 405.
    return error.kind === 'problem' && (error.problem.status === 404 || error.problem.status === 405)
      ? err(`${url} runs an older version that does not accept files. Update it, or ask without --file.`)
      : err(explainFailure(error, url))
  }
  const uploadResult = await client.upload(thread.value, attachments)
  return uploadResult.ok
    ? ok({ threadId: thread.value, files: uploadResult.value })
    : err(
        `The files were not uploaded, and your question was not sent.\n${explainFailure(uploadResult.error, url)}`,
      )
}

function formatCount(bytes: number): string {
  return bytes.toLocaleString('en-US')
}
