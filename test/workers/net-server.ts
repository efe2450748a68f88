// Servers on this machine, outside of workerd, for tests in workerd: one that misbehaves, search engines, an MCP server,
// and two sites that count requests.

import { hostname } from 'node:os'
import type { TestProject } from 'vitest/node'

import { CountedSite } from '../fakes/counted-site.ts'
import { FakeMcpServer } from '../fakes/mcp-server.ts'
import { hostileServer } from '../fakes/hostile-server.ts'
import { SearchEngines } from '../fakes/search-engines.ts'

declare module 'vitest' {
  interface ProvidedContext {
    readonly hostile: { readonly port: number; readonly hostname: string }
    /** `host:port` of a site that people name, and of one that nobody names. */
    readonly sites: { readonly given: string; readonly evil: string }
    /** `host:port` of an MCP server. */
    readonly mcp: string
    readonly engines: { readonly position: string; readonly key: string }
  }
}

export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const server = await hostileServer()
  provide('hostile', { port: server.port, hostname: hostname() })
  const engines = new SearchEngines()
  engines.hits = [
    {
      title: 'Found',
      url: 'https://found.example.com/',
      text: 'words',
      image: 'https://found.example.com/a.png',
    },
  ]
  provide('engines', { position: await engines.start(), key: engines.key })
  const [given, evil] = [new CountedSite(), new CountedSite()]
  provide('sites', { given: await given.start(), evil: await evil.start() })
  const mcp = new FakeMcpServer()
  provide('mcp', await mcp.start())
  return async () => {
    await Promise.all([server.close(), engines.stop(), given.stop(), evil.stop(), mcp.stop()])
  }
}
