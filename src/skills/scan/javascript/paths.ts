// What a resolved JavaScript path does: runs code, starts programs, reaches the network. Pure look-ups.

/** Runs text as code, called or constructed. */
export const CODE =
  /^(?:globals\.(?:eval|Function|execScript)|vm\.(?:runIn\w*Context|Script|compileFunction|SourceTextModule))$|globals\.Function\.prototype\.constructor$|\.constructor\.constructor$/
/** Goes through a shell with whatever it is given. */
export const SHELL = /^(?:child_process\.exec(?:Sync)?|shelljs\.exec)$/
/** Starts a program; a `shell` option makes it the above. */
export const PROCESS =
  /^(?:child_process\.(?:spawn|execFile|fork)(?:Sync)?|cross-spawn(?:\.\w+)?|execa(?:\.\w+)?|globals\.Bun\.spawn(?:Sync)?|globals\.Deno\.(?:Command|run)|node-pty\.spawn)$/
const NETWORK =
  /^(?:globals\.(?:fetch|XMLHttpRequest|WebSocket|EventSource|navigator\.sendBeacon)|https?\.(?:request|get)|http2\.connect|net\.(?:connect|createConnection|Socket)|tls\.connect|dgram\.createSocket|(?:axios|got|node-fetch|undici|cross-fetch|superagent|request|ws|ky|needle|phin)(?:\.(?!isAxiosError)\w+)?)$/

export function isNetworkCall(path: string): boolean {
  return NETWORK.test(path)
}

export const SOCKET = /^(?:net\.(?:connect|createConnection|Socket)|tls\.connect)$/
export const SHELL_PROGRAM =
  /^(?:(?:\/[\w.]{1,20}){0,4}\/)?(?:(?:ba|z|da|k)?sh|cmd(?:\.exe)?|powershell(?:\.exe)?|pwsh)$/i
