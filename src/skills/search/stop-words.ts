// Words that say nothing about a task: common English words, words common in requests, and words common in skills.

function words(text: string): readonly string[] {
  return text.split(/\s+/).filter(Boolean)
}

/** Words that are left out of queries and of the index. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  words(`a about above after again all also although always am an and another any anything are as asks at away be because
  been before being below between both but by can cannot could did do does doing don done down during each either else
  etc even ever every everything few for from further get gets getting give gives given go goes going got had has have
  having he hello help helps her here hers hey hi him his how however i if in instead into is it its itself just keep
  kind let lets like ll lot lots make makes making many may maybe me might mine more most much must my myself need needs
  never next no nor not nothing now of off often on once one only onto or other others our ours out over own per please
  possible put quite rather re really s same say see several shall she should show shows since so some somebody someone
  something still such t take takes tell than thank thanks that the their theirs them then there these they thing things
  this those though through thus to today together too toward under until up upon us use used useful user users uses
  using ve very via want wants was way ways we well were what whatever when whenever where whether which while who whom
  whose why will with within without would yet you your yours yourself`),
)

/** Words in the bodies of most skills. They are left out of the index of bodies, but not out of queries. */
export const COMMON_WORDS: ReadonlySet<string> = new Set(
  words(`add added adding additional agent allow already apply approach appropriate ask available avoid back base based
  basic best better break build call called case cases change changes check checklist choose claude clear code codex
  command commands common complete consider contain contains content context copilot correct create created creating
  current custom data default define depend description detail details different directory directly do document ensure
  error errors example examples exist existing expected explain explicit fail fails false field fields file files final
  find first fix folder follow following form format full general generate goal good guide guidelines handle high
  identify implement implementation important include includes including info information initial input install
  instruction instructions int item key know known last level license limit line link list load local long look main
  manage md method minimum mode multiple name names new node note notes null number object open option optional options
  order output overview parameter part path pattern patterns place point practice practices prefer present previous
  principle process produce project prompt provide provides purpose question quick read ready
  reason recommend recommended reference references related relevant remove replace request require required
  requirement requirements response result results return returns right role rule rules run running 
  second section select set setup short should simple single skill skills small source specific standard start
  state status step steps string structure support supports target task tasks text time
  title tool tools top trigger triggers true try two type types understand update usage valid validate value values
  variable verify version view work working write wrong yes`),
)
