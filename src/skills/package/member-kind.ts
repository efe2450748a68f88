// Checks the Unix mode of an archive's member, which zip stores in the external attributes and tar in the header.

const KIND = 0o170000
const REGULAR = 0o100000
const FOLDER = 0o040000
const LINK = 0o120000
const SET_IDS = 0o6000

/** Why a member with this mode is refused, as a sentence; null if it is a file or a folder, as its name says. */
export function fileKindRefusal(mode: number, folder: boolean): string | null {
  const kind = mode & KIND
  if (kind === LINK) return 'It is a link. Pack its target instead.'
  if (kind !== 0 && kind !== REGULAR && kind !== FOLDER) return 'It is a device or a pipe.'
  if (kind !== 0 && (kind === FOLDER) !== folder)
    return 'Its name and its mode disagree about whether it is a folder.'
  return (mode & SET_IDS) === 0 ? null : 'It is set to run as another user (setuid or setgid).'
}
