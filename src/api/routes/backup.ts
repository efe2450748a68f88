// The routes of `npm run backup` and `npm run restore`: a deployment's rows and bytes, piece by piece. Their handlers are imported
// when they are needed.

import { queueBlob, queueHistory } from '../admission/queues.ts'
import { route, type KeyedRoute } from '../route/route.ts'

const show: KeyedRoute['handle'] = async (...request) =>
  (await import('../backup/backup.ts')).showContents(...request)
const sign: KeyedRoute['handle'] = async (...request) =>
  (await import('../backup/backup.ts')).signArchive(...request)
const rows = queueHistory(async (c, caller) => (await import('../backup/backup.ts')).sendRows(c, caller))
const keys = queueBlob(async (c) => (await import('../backup/bytes.ts')).listBuildBytes(c))
const bytes = queueBlob(async (c, caller) => (await import('../backup/bytes.ts')).sendBytes(c, caller))

const begin: KeyedRoute['handle'] = async (...request) =>
  (await import('../backup/restore.ts')).replyToBeginning(...request)
const putRows = queueBlob(async (...request) => (await import('../backup/restore.ts')).putRows(...request))
const putBytes = queueBlob(async (...request) => (await import('../backup/bytes.ts')).putBytes(...request))
const finish: KeyedRoute['handle'] = async (...request) =>
  (await import('../backup/restore.ts')).replyToEnd(...request)

export const backupRoutes: readonly KeyedRoute[] = [
  route('admin', 'GET', '/admin/backup', show),
  route('admin', 'GET', '/admin/backup/rows', rows, ['object', 'cursor', 'ticket']),
  route('admin', 'GET', '/admin/backup/bytes', keys, ['cursor']),
  route('admin', 'GET', '/admin/backup/bytes/:name{.+}', bytes, ['ticket']),
  route('admin', 'POST', '/admin/backup/sign', sign),
  route('admin', 'POST', '/admin/restore', begin),
  route('admin', 'PUT', '/admin/restore/rows', putRows, ['object', 'first', 'rows', 'inexact', 'sha256']),
  route('admin', 'PUT', '/admin/restore/bytes/:name{.+}', putBytes, ['sha256', 'kv']),
  route('admin', 'POST', '/admin/restore/finish', finish),
]
