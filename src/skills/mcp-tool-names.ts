// Names of tools of MCP servers, as Satchel and as other hosts write them.

/** Satchel's name of a tool. modelNames() replaces one that is too long, or that two tools would have. */
export function mcpToolName(server: string, tool: string): string {
  return `mcp_${server}_${withoutSigns(tool)}`
}

/** Replaces characters that a name for models must not contain. */
function withoutSigns(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, '_')
}

/** `mcp__server` alone names no tool. */
const FOREIGN_NAME = /^(?:mcp__|(?!mcp__))([a-z0-9-]+)(?:__|:)(.+)$/i

/** Satchel's name of the tool that other hosts write as `mcp__server__tool`, `server__tool` or `server:tool`; otherwise null. */
function ownToolName(name: string): string | null {
  const [, server, tool] = FOREIGN_NAME.exec(name) ?? []
  return server === undefined || tool === undefined ? null : mcpToolName(server, tool)
}

/** Whether `name` means the tool `own`, ignoring letter case and the notation of other hosts. */
export function isNameOf(own: string, name: string): boolean {
  return own.toLowerCase() === (ownToolName(name) ?? withoutSigns(name)).toLowerCase()
}
