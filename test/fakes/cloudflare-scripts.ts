// The Workers routes of the fake account, as wrangler 4.164 calls them: scripts, versions, secrets, static files and
// addresses.

import { randomUUID } from 'node:crypto'

import { Refusal, type Answer, type Route } from './cloudflare-wire.ts'
import { Worker } from './cloudflare-worker.ts'

const MADE_AT = '2026-11-20T10:00:00Z'

export class Scripts {
  readonly all = new Map<string, Worker>()
  isPaid = true
  /** Null if the account has not registered a workers.dev subdomain. */
  subdomain: string | null = 'team'
  /** Hashes of uploaded static files, and tokens of completed upload sessions. */
  readonly #assets = new Set<string>()
  readonly #finished = new Set<string>()

  routes(): readonly Route[] {
    const script = '^%s \\/workers\\/scripts\\/([^/]+)'
    const at = (method: string, rest: string): RegExp => new RegExp(`${script.replace('%s', method)}${rest}$`)
    return [
      [
        /^GET \/workers\/services\/([^/]+)$/,
        ([, name = '']) => {
          const worker = this.all.get(name)
          if (!worker) throw new Refusal(404, 10_090, 'This service does not exist on your account.')
          const { migrationTag } = worker
          const own = { id: name, tag: `tag-${name}`, tags: [], last_deployed_from: 'wrangler' }
          return {
            result: {
              id: name,
              default_environment: {
                environment: 'production',
                script: { ...own, ...(migrationTag !== undefined && { migration_tag: migrationTag }) },
              },
            },
          }
        },
      ],
      [
        /^GET \/workers\/workers\/([^/]+)$/,
        ([, name = '']) => ({
          result: {
            id: name,
            name,
            subdomain: {
              enabled: this.#worker(name).isReachable,
              previews_enabled: false,
              ...(this.subdomain !== null && { url: `https://${name}.${this.subdomain}.workers.dev` }),
            },
          },
        }),
      ],
      [
        /^GET \/workers\/subdomain$/,
        () => {
          if (this.subdomain === null) throw new Refusal(404, 10_007, 'There is no subdomain yet.')
          return { result: { subdomain: this.subdomain } }
        },
      ],
      [at('GET', '\\/settings'), ([, name = '']) => ({ result: { bindings: this.#bindings(name) } })],
      [
        at('GET', '\\/secrets'),
        ([, name = '']) => ({
          result: Object.keys(this.#worker(name).secrets()).map((secret) => ({
            name: secret,
            type: 'secret_text',
          })),
        }),
      ],
      [
        at('PATCH', '\\/secrets-bulk'),
        async ([, name = ''], request) => {
          // A merge patch, as the API documents it.
          const patch = (await request.json()) as { readonly secrets: Parameters<Worker['setSecrets']>[0] }
          this.#worker(name).setSecrets(patch.secrets)
          return { result: {} }
        },
      ],
      [
        at('GET', '\\/deployments'),
        ([, name = '']) => {
          const { live } = this.#worker(name)
          const versions = live ? [{ version_id: live.id, percentage: 100 }] : []
          const one = {
            id: 'deployment',
            source: 'wrangler',
            strategy: 'percentage',
            author_email: '',
            versions,
          }
          return { result: { deployments: live ? [{ ...one, created_on: MADE_AT }] : [] } }
        },
      ],
      [
        at('POST', '\\/deployments'),
        async ([, name = ''], request) => {
          // As wrangler writes it.
          const { versions } = (await request.json()) as {
            readonly versions: readonly { readonly version_id: string }[]
          }
          const worker = this.#worker(name)
          worker.live = worker.versions.find(({ id }) => id === versions[0]?.version_id) ?? worker.live
          return { result: { id: 'deployment' } }
        },
      ],
      [
        at('GET', '\\/versions\\/([^/]+)'),
        ([, name = '', id = '']) => {
          const version = this.#worker(name).versions.find((each) => each.id === id)
          if (!version) throw new Refusal(404, 10_007, 'There is no such version.')
          return { result: versionResult(version.id, hidden(version.bindings)) }
        },
      ],
      [
        at('POST', '\\/versions'),
        async ([, name = ''], request) => {
          const worker = this.#worker(name)
          const version = await worker.upload(await request.formData(), this.isPaid, this.#finished)
          return { result: versionResult(version.id, hidden(version.bindings)) }
        },
      ],
      [at('PATCH', '\\/script-settings'), () => ({ result: {} })],
      [
        at('PUT', ''),
        async ([, name = ''], request) => {
          const worker = this.all.get(name) ?? new Worker()
          const version = await worker.upload(await request.formData(), this.isPaid, this.#finished)
          worker.live = version
          this.all.set(name, worker)
          return { result: { id: name, etag: version.id, deployment_id: version.id.replaceAll('-', '') } }
        },
      ],
      [
        at('POST', '\\/subdomain'),
        async ([, name = ''], request) => {
          // As wrangler writes it.
          const { enabled } = (await request.json()) as { readonly enabled: boolean }
          this.#worker(name).isReachable = enabled
          return { result: { enabled, previews_enabled: false } }
        },
      ],
      [at('POST', '\\/assets-upload-session'), async (_, request) => this.#assetSession(request)],
      [/^POST \/workers\/assets\/upload$/, async (_, request) => this.#uploadAssets(request)],
    ]
  }

  #worker(name: string): Worker {
    const worker = this.all.get(name)
    if (!worker) throw new Refusal(404, 10_007, 'This Worker does not exist on your account.')
    return worker
  }

  #bindings(name: string): readonly object[] {
    return hidden(this.#worker(name).live?.bindings ?? [])
  }

  /** Asks for missing files, a few per bucket. If none is missing, the session is complete at once. */
  async #assetSession(request: Request): Promise<Answer> {
    // As wrangler writes it.
    const { manifest } = (await request.json()) as {
      readonly manifest: Readonly<Record<string, { readonly hash: string }>>
    }
    const lacking = [...new Set(Object.values(manifest).map(({ hash }) => hash))].filter(
      (hash) => !this.#assets.has(hash),
    )
    const buckets: string[][] = []
    for (let from = 0; from < lacking.length; from += 20) buckets.push(lacking.slice(from, from + 20))
    const jwt = token(lacking)
    if (lacking.length === 0) this.#finished.add(jwt)
    return { result: { jwt, buckets } }
  }

  async #uploadAssets(request: Request): Promise<Answer> {
    const jwt = request.headers.get('authorization')?.replace('Bearer ', '') ?? ''
    // Made by `token` below.
    const { lacking } = JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64').toString()) as {
      readonly lacking: readonly string[]
    }
    for (const name of (await request.formData()).keys()) this.#assets.add(name)
    if (!lacking.every((hash) => this.#assets.has(hash))) return { result: {} }
    const whole = token([])
    this.#finished.add(whole)
    return { result: { jwt: whole } }
  }
}

/** Values of secrets are never returned. */
function hidden(bindings: readonly { readonly type: string; readonly name: string }[]): readonly object[] {
  return bindings.map((binding) =>
    binding.type === 'secret_text' ? { name: binding.name, type: binding.type } : binding,
  )
}

function versionResult(id: string, bindings: readonly object[]): object {
  const metadata = { created_on: MADE_AT, author_email: 'dev@example.com', source: 'wrangler' }
  return {
    id,
    number: 1,
    metadata,
    annotations: {},
    startup_time_ms: 10,
    resources: { bindings, script: { etag: id, handlers: ['fetch'] }, script_runtime: {} },
  }
}

/** A token in the form of a JWT, from which wrangler reads the expiry. */
function token(lacking: readonly string[]): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part({ alg: 'none' })}.${part({ exp: 4_000_000_000, lacking, id: randomUUID() })}.x`
}
