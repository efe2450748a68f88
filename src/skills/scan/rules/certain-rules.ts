// What a reviewer refuses at sight, since honest skills do not do it: `[why, fix]` by id.

export const CERTAIN_ERRORS = {
  'shell-keys-sent': [
    'keys, accounts, passwords or the whole environment are sent away.',
    'Remove it. Let the user hand the one credential that is needed to the service it belongs to.',
  ],
  'shell-persistent-access': [
    'from then on the machine fetches and runs what somebody else chooses, or lets somebody in.',
    'Remove it; start a file of the skill, and let the user add keys and jobs.',
  ],
  'shell-hidden-download': [
    'a program is fetched and started so that nobody sees it or the system cannot stop it.',
    'Remove it; name a package from a registry with its version.',
  ],
  'shell-fetched-command': [
    'what is run is whatever somebody else has put there, and it comes by a way on which nobody sees it.',
    'Ship the commands with the skill; or download a file from a host that has a name, check its sha-256, then run it.',
  ],
  'shell-unnamed-package': [
    'the package comes from an address without a name: nobody answers for it.',
    'Use the public registry, or a private one over https with a name.',
  ],
  'declaration-hidden-orders': [
    'the model is given orders that people do not see, or that are to be kept from them.',
    'Write what the skill does where people read it, and let the user decide what is sent.',
  ],
} as const

/** Of Python and JavaScript. */
export const CERTAIN_CODE_ERRORS = {
  'untrusted-code': [
    'it runs text that comes from nobody: from an address without a name, without encryption, from a paste site, or that is encoded.',
    'Ship the code in clear with the skill, or take it from a registry with its version.',
  ],
  'fetched-code': [
    'what it runs is whatever the server sends at that moment.',
    'Ship the code with the skill, or take it from a registry with its version.',
  ],
  'keys-sent': [
    'it reads keys, accounts or the whole environment and sends them away.',
    'Remove it. Read the one variable that is needed by its name.',
  ],
} as const
