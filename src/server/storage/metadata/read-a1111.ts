import {
  integerOf,
  modelNameOf,
  type NormalFields,
  nameOf,
  numberOf,
  seedOf,
  textOf,
} from './normal-fields.ts'

/** The settings line is short where it is real; a longer one would make the pattern slow. */
const MAX_SETTINGS_LENGTH = 20_000
const setting = /\s*(\w[\w \-/]{0,60}):\s*("(?:\\.|[^\\"])*"|[^,]*)(?:,|$)/g
const lora = /<lora:([^:<>]{1,200}):(-?[\d.]{1,10})[^<>]{0,50}>/g
const negativeMark = /^Negative prompt:[^\S\n]?/m

/** Whether a text is in the form of A1111's `parameters`. */
export const isA1111 = (text: string): boolean => /^\s*Steps: \d+, /m.test(text)

const settingsOf = (line: string): Map<string, string> =>
  new Map(
    [...line.slice(0, MAX_SETTINGS_LENGTH).matchAll(setting)].map(([, key = '', value = '']) => [
      key.trim().toLowerCase(),
      value.replace(/^"|"$/g, '').trim(),
    ]),
  )

/** Reads what A1111 and its kin write as `parameters`: prompt, `Negative prompt:`, a line of settings. */
export const readA1111 = (parameters: string): NormalFields => {
  const text = parameters.replaceAll('\r\n', '\n')
  const settingsAt = text.search(/^\s*Steps: \d+/m)
  const settings = settingsOf(settingsAt < 0 ? '' : text.slice(settingsAt).replaceAll('\n', ' '))
  const prompts = settingsAt < 0 ? text : text.slice(0, settingsAt)
  const [prompt = '', ...negative] = prompts.split(negativeMark)
  const [, width, height] = /^(\d{1,6})x(\d{1,6})$/.exec(settings.get('size') ?? '') ?? []
  return {
    prompt: textOf(prompt),
    negative_prompt: textOf(negative.join('\n')),
    model: modelNameOf(settings.get('model')),
    seed: seedOf(settings.get('seed')),
    steps: integerOf(settings.get('steps')),
    cfg_scale: numberOf(settings.get('cfg scale')),
    sampler: nameOf(settings.get('sampler')),
    scheduler: nameOf(settings.get('schedule type')),
    loras: [...prompt.matchAll(lora)].slice(0, 100).map(([, name = '', weight]) => ({
      name,
      weight: numberOf(weight),
    })),
    width: integerOf(width),
    height: integerOf(height),
  }
}
