// The names of the parts of a backup: of objects, and of bytes in the stores. A name never refers to data of another
// workspace.

import type { BackupApi } from '../../backup/api.ts'
import { objects, type Env } from '../../env/env.ts'
import { withDisposedResults } from '../../lib/dispose-results.ts'
import { prefixOf } from '../../files/store.ts'
import { blobKey } from '../../skills/store/keys.ts'
import { workspaceOf } from '../../webhooks/hook-id.ts'

const OBJECT = /^(threads\/th|endpoints\/ep|schedules\/sc)_[a-z0-9]{24}$/

/** An object by its name: `workspace`, `catalog`, `threads/th_…`, `hooks/hk_…`. Null if the name is not valid. */
export function objectNamed(env: Env, workspace: string, name: string): BackupApi | null {
  const others = objects(env)
  if (name === 'workspace') return others.workspace(workspace)
  if (name === 'catalog') return others.catalog(workspace)
  const [kind, id = ''] = name.split('/')
  if (kind === 'hooks')
    return workspaceOf(id) === workspace && name === `hooks/${id}` ? others.hook(id) : null
  if (!OBJECT.test(name)) return null
  if (kind === 'threads') return withDisposedResults(others.thread(workspace, id))
  if (kind === 'endpoints') return others.endpoint(workspace, id)
  return withDisposedResults(others.schedule(workspace, id))
}

export interface StoredBytes {
  readonly bucket: R2Bucket
  readonly key: string
  /** The SHA-256 that the key contains, for bytes of skills; null for files. */
  readonly sha256: string | null
}

/** Bytes by their name: `skills/build/<sha256>`, `skills/own/<sha256>` or `files/<thread>/<random id>`. Null if it is not valid. */
export function bytesNamed(env: Env, workspace: string, name: string): StoredBytes | null {
  const [, scope, sha256] = /^skills\/(build|own)\/([0-9a-f]{64})$/.exec(name) ?? []
  if (scope !== undefined && sha256 !== undefined) {
    const key = blobKey(scope === 'build' ? 'build' : { workspace }, sha256)
    return { bucket: env.RESOURCES, key, sha256 }
  }
  const [, thread, id] = /^files\/(th_[a-z0-9]{24})\/([a-z0-9_]{1,64})$/.exec(name) ?? []
  if (thread === undefined || id === undefined) return null
  return { bucket: env.FILES, key: prefixOf(workspace, thread) + id, sha256: null }
}
