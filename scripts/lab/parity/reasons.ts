// Why a script does not say in the sandbox what it says on a machine: known differences, by `<skill>/<path within> <case>`.

export const REASONS: Readonly<Record<string, string>> = {
  'webapp-testing/scripts/with_server.py good':
    'starts a server as another program, and waits for its port: Python starts none here, and says so',
  'brainstorming/scripts/start-server.sh good':
    'starts a web server in the background and leaves it there: not run on either side, counted as different',
}
