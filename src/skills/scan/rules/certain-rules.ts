// Errors for content that every reviewer would refuse, because no honest skill has it: `[why, fix]` by rule
// ID.

/** The fix for content that no honest skill has. */
export const NO_HONEST_USE = 'Remove it. A skill has no honest use for it.'

export const CERTAIN_ERRORS = {
  'shell-keys-sent': [
    'keys, accounts, passwords or the whole environment are sent over the network.',
    'Remove it. Let the user give the one credential that is needed to the service it belongs to.',
  ],
  'shell-persistent-access': [
    'from then on, the machine runs code that someone else chooses, or lets someone else log in.',
    'Remove it; start a file that ships with the skill, and let the user add keys and scheduled jobs.',
  ],
  'shell-hidden-download': [
    'a program is downloaded and started in a way that nobody sees or that the system cannot stop.',
    'Remove it; use a package from a registry with a pinned version.',
  ],
  'shell-fetched-command': [
    'whoever controls the source decides what runs, and nobody sees it beforehand.',
    'Ship the commands with the skill, or download a file from a named host, check its SHA-256, and then run it.',
  ],
  'shell-unnamed-package': [
    'the package comes from an IP address, so nobody can be held responsible for it.',
    'Use the public registry, or a private one that has a host name and uses https.',
  ],
  'declaration-hidden-orders': [
    'it gives the model instructions that people do not see or that are to be kept from them.',
    'Describe what the skill does where people will read it, and let the user decide what is sent.',
  ],
} as const

/** The same for Python and JavaScript code. The rule IDs lack the prefix, which is the language. */
export const CERTAIN_CODE_ERRORS = {
  'untrusted-code': [
    'it runs encoded text, or text from an IP address, an unencrypted connection or a paste site.',
    'Ship the code unencoded with the skill, or install it from a registry with a pinned version.',
  ],
  'fetched-code': [
    'it runs whatever the server sends at that moment.',
    'Ship the code with the skill, or install it from a registry with a pinned version.',
  ],
  'keys-sent': [
    'it reads keys, accounts or the whole environment and sends them over the network.',
    'Remove it. Read only the variable you need, by name.',
  ],
} as const
