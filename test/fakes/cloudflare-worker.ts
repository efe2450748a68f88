// The Workers of the fake account: uploads with metadata, versions, deployments and secrets, independent of HTTP. Error
// shapes and codes are those that wrangler 4.164 reads.

import { randomUUID } from 'node:crypto'

import { Refusal } from './cloudflare-wire.ts'

interface Binding {
  readonly name: string
  readonly type: string
  readonly text?: string
  readonly namespace_id?: string
  readonly bucket_name?: string
}

interface Metadata {
  readonly main_module: string
  readonly bindings: readonly Binding[]
  readonly keep_bindings?: readonly string[]
  readonly migrations?: { readonly old_tag?: string; readonly new_tag: string }
  readonly assets?: { readonly jwt: string }
}

export interface Version {
  readonly id: string
  readonly bindings: readonly Binding[]
  readonly code: string
}

export class Worker {
  readonly versions: Version[] = []
  migrationTag: string | undefined
  /** Whether the workers.dev address is enabled. */
  isReachable = false
  /** The live version. */
  live: Version | null = null

  /**
   * Creates a version from an upload. `isPaid`: whether the plan has a loader. `assetTokens`: the tokens of completed
   * upload sessions.
   */
  async upload(form: FormData, isPaid: boolean, assetTokens: ReadonlySet<string>): Promise<Version> {
    const text = form.get('metadata')
    if (typeof text !== 'string') throw new Refusal(400, 10_021, 'There is no metadata in the upload.')
    // The cast is safe: wrangler wrote this value in its documented shape.
    const metadata = JSON.parse(text) as Metadata
    const before = this.versions.at(-1)?.bindings ?? []
    if (!isPaid && metadata.bindings.some(({ type }) => type === 'worker_loader'))
      throw new Refusal(
        403,
        10_195,
        'In order to use Dynamic Workers, you must switch to a paid plan at https://dash.cloudflare.com/acc/workers/plans.',
      )
    const jwt = metadata.assets?.jwt
    if (jwt !== undefined && !assetTokens.has(jwt))
      throw new Refusal(400, 10_021, 'The assets of this upload were never finished.')
    if (metadata.migrations && metadata.migrations.old_tag !== this.migrationTag)
      throw new Refusal(412, 10_079, 'The migration tag does not match the deployed one.')
    if (!metadata.migrations && this.migrationTag === undefined)
      throw new Refusal(400, 10_061, 'Cannot create binding for class that is not migrated.')
    const named = metadata.bindings.map((binding) => {
      if (binding.type !== 'inherit') return binding
      const inherited = before.find(({ name }) => name === binding.name)
      if (inherited) return inherited
      throw new Refusal(400, 10_057, `inherit binding '${binding.name}' is invalid`)
    })
    const kept = before.filter(
      ({ name, type }) =>
        metadata.keep_bindings?.includes(type) === true && !named.some((binding) => binding.name === name),
    )
    const main = form.get(metadata.main_module)
    const version = {
      id: randomUUID(),
      bindings: [...named, ...kept],
      code: main instanceof Blob ? await main.text() : '',
    }
    this.versions.push(version)
    this.migrationTag = metadata.migrations?.new_tag ?? this.migrationTag
    return version
  }

  /** As the `secrets-bulk` route takes them: creates a version with these secrets, which is live at once. */
  setSecrets(
    secrets: Readonly<Record<string, { readonly name: string; readonly text: string } | null>>,
  ): void {
    if (!this.live) throw new Refusal(400, 10_215, 'The latest version is not deployed.')
    const others = this.live.bindings.filter(({ name }) => !(name in secrets))
    const set = Object.values(secrets).flatMap((secret) =>
      secret ? [{ ...secret, type: 'secret_text' }] : [],
    )
    this.live = { ...this.live, id: randomUUID(), bindings: [...others, ...set] }
    this.versions.push(this.live)
  }

  secrets(): Readonly<Record<string, string>> {
    const all = (this.live?.bindings ?? []).filter(({ type }) => type === 'secret_text')
    return Object.fromEntries(all.map(({ name, text = '' }) => [name, text]))
  }

  /** The stores by binding: the id of a namespace or the name of a bucket. */
  stores(): Readonly<Record<string, string>> {
    const all = (this.live?.bindings ?? []).flatMap(({ name, type, namespace_id, bucket_name }) => {
      const id = type === 'kv_namespace' ? namespace_id : bucket_name
      return id === undefined ? [] : [[name, id] as const]
    })
    return Object.fromEntries(all)
  }

  /** The digest of the skill build that is compiled in: the only digest among the literals of our code. */
  build(): string | null {
    return /["'`]([0-9a-f]{64})["'`]/.exec(this.live?.code ?? '')?.[1] ?? null
  }
}
