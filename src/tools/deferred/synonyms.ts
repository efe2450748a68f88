// Words that people use for the same act. Tools are named for what they do, and a query may say it in another word.

import { terms } from '../../skills/search/tokens.ts'

/** Each line: words that often stand for one another in names and descriptions of tools. */
const GROUPS: readonly string[] = [
  'create add new insert open register make',
  'delete remove erase drop destroy purge trash discard',
  'update edit change modify set rename adjust patch revise alter',
  'list show browse enumerate view display',
  'get fetch read retrieve load look view show',
  'search find query lookup locate filter',
  'send post deliver publish submit message notify',
  'upload attach import',
  'download export',
  'start run launch execute trigger begin',
  'stop cancel abort halt terminate kill end',
  'copy duplicate clone fork',
  'move transfer relocate',
  'assign give allocate delegate',
  'invite share grant',
  'message dm chat',
  'email mail',
  'picture image photo screenshot',
  'folder directory',
  'file document doc',
  'ticket issue bug task',
  'repository repo',
  'pr pull merge',
  'person user member people contact',
  'customer client account',
  'event meeting appointment calendar',
  'schedule book plan reserve',
  'table spreadsheet sheet',
  'row record entry',
  'db database sql',
  'log trace',
  'error exception crash failure',
  'metric statistics stats analytics',
  'money payment charge pay',
  'invoice bill',
  'refund reimburse',
  'price cost rate',
  'weather forecast',
  'map route direction navigation',
  'translate translation language',
  'deploy release ship rollout',
  'restart reboot',
  'comment reply note',
  'channel room',
  'label tag',
  'approve accept confirm',
  'reject decline deny refuse',
  'close resolve finish complete',
  'subscribe follow watch',
  'website site web page url',
  'summary summarize overview digest',
  'employee staff worker',
  'job position vacancy',
  'shipment parcel package delivery',
  'order purchase',
  'stock inventory',
  'vacation leave holiday absence',
]

const byTerm = new Map<string, readonly string[]>()

/** The stems of words that may stand for this stem. */
export function synonymsOf(term: string): readonly string[] {
  if (byTerm.size === 0)
    for (const group of GROUPS) {
      const stems = [...new Set(group.split(' ').flatMap(terms))]
      for (const stem of stems) byTerm.set(stem, [...new Set([...(byTerm.get(stem) ?? []), ...stems])])
    }
  return (byTerm.get(term) ?? []).filter((other) => other !== term)
}
