import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ggufFile } from '#testing/models/gguf-file.ts'
import { countingOnnx, enlargingOnnx, multiplyingOnnx } from '#testing/models/onnx-file.ts'
import { protobufMessage } from '#testing/models/protobuf-message.ts'
import { safetensorsFile } from '#testing/models/safetensors-file.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { readModel } from './model-worker.ts'

let folder: string
beforeAll(async () => {
  folder = await createTemporaryFolder()
})
afterAll(() => removeFolder(folder))

const read = async (name: string, bytes: Uint8Array | string) => {
  const path = join(folder, name)
  await writeFile(path, bytes)
  return readModel(path)
}

const kohya = { ss_network_module: 'networks.lora', ss_base_model_version: 'sd_v1' }
const modelspec = { 'modelspec.architecture': 'flux-1-dev/lora' }
const attention = 'input_blocks.4.1.transformer_blocks.0.attn2.to_k.weight'

test.each([
  ['lora', 'sd-1', { 'lora_unet_x.lora_down.weight': [1] }, kohya],
  ['lora', 'flux', { a: [1] }, modelspec],
  ['lora', 'flux', { 'lora_unet_double_blocks_0_img_attn.lora_down.weight': [1] }, {}],
  ['lora', 'sdxl', { 'lora_te2_text.lora_up.weight': [1] }, {}],
  ['lora', 'sd-2', { 'lora_unet_down_attn2_to_k.lora_down.weight': [1, 1024] }, {}],
  ['lora', 'any', { 'transformer.blocks.0.lora_A.weight': [1] }, {}],
  ['main', 'sd-1', { [`model.diffusion_model.${attention}`]: [1, 768] }, {}],
  ['main', 'sdxl', { [`model.diffusion_model.${attention}`]: [1, 2048] }, {}],
  ['main', 'sdxl-refiner', { [`model.diffusion_model.${attention}`]: [1, 1280] }, {}],
  ['main', 'sd-3', { 'model.diffusion_model.joint_blocks.0.x': [1] }, {}],
  ['main', 'flux', { 'double_blocks.0.img_attn.norm.key_norm.scale': [1] }, {}],
  ['vae', 'any', { 'decoder.conv_in.weight': [1], 'encoder.conv_in.weight': [1] }, {}],
  ['controlnet', 'sd-1', { [`control_model.${attention}`]: [1, 768] }, {}],
  ['ip_adapter', 'sdxl', { 'ip_adapter.1.to_k_ip.weight': [1, 2048] }, {}],
  ['t2i_adapter', 'any', { 'adapter.body.0.in_conv.weight': [1] }, {}],
  ['embedding', 'sd-1', { emb_params: [1, 768] }, {}],
  ['embedding', 'sdxl', { clip_g: [1, 1280], clip_l: [1, 768] }, {}],
  ['t5_encoder', 'any', { 'encoder.block.0.layer.0.SelfAttention.k.weight': [1] }, {}],
  ['clip_embed', 'any', { 'text_model.encoder.layers.0.x': [1] }, {}],
  ['spandrel_image_to_image', 'any', { 'model.1.sub.0.RDB1.conv1.0.weight': [1] }, {}],
])('detects a safetensors %s of base %s by its header', async (type, base, shapes, notes) => {
  const found = await read('a.safetensors', safetensorsFile(shapes, notes))

  expect(found).toMatchObject({ fault: null, header: { type, base } })
})

test('reports a header without a recognizable model kind', async () => {
  const found = await read('a.safetensors', safetensorsFile({ a: [1] }))

  expect(found?.header).toEqual({
    base: 'any',
    type: 'main',
    format: 'checkpoint',
    description: 'Its header does not say what kind of model it is.',
  })
})

test.each([
  ['flux', 'main', 'flux'],
  ['sd3', 'main', 'sd-3'],
  ['t5encoder', 't5_encoder', 'any'],
  ['llama', 'main', 'any'],
])(
  'detects a GGUF file of architecture %s as a %s of base %s',
  async (architecture, type, base) => {
    const texts = { 'general.architecture': architecture, 'general.name': 'Mine' }
    const found = await read('a.gguf', ggufFile(texts, { 'blk.0.weight': [4, 4] }))

    const description = `Mine, ${architecture}, F32`
    expect(found?.header).toEqual({ type, base, format: 'gguf_quantized', description })
  },
)

test.each([
  [enlargingOnnx(4), 'From 1x3xhxw to 1x3xh4xw4'],
  [multiplyingOnnx(1, { input: [1, 3, 16, 24] }), 'From 1x3x16x24 to 1x3x16x24'],
  [countingOnnx(), 'From 1x3xhxw, not 32-bit float to 1x3xhxw, not 32-bit float'],
])('describes the inputs and outputs of an ONNX file', async (bytes, description) => {
  const found = await read('a.onnx', bytes)

  expect(found?.header).toEqual({ base: 'any', type: 'onnx', format: 'onnx', description })
})

test('counts external weight files of an ONNX model', async () => {
  const found = await read('a.onnx', multiplyingOnnx(1, { outside: 123_456 }))

  expect(found).toMatchObject({ fault: null, externalBytes: 123_456 })
})

const CUT_OFF = 'The file is cut off: its end is missing.'
const st = safetensorsFile({ a: [100] })
const gg = ggufFile({ 'general.architecture': 'flux' }, { 'blk.0': [32], 'blk.1': [32] })
const gguf = (tensors: number, notes: number) => {
  const bytes = Buffer.alloc(64)
  bytes.write('GGUF')
  bytes.writeUInt32LE(3, 4)
  bytes.writeBigUInt64LE(BigInt(tensors), 8)
  bytes.writeBigUInt64LE(BigInt(notes), 16)
  return bytes
}
const onnx = multiplyingOnnx(1, { weights: 200_000 })
const header = (text: string) => {
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(text.length))
  return Buffer.concat([length, Buffer.from(text)])
}

test.each([
  ['a.safetensors', '', 'The file is empty.'],
  ['a.safetensors', st.subarray(0, 4), CUT_OFF],
  ['a.safetensors', st.subarray(0, 40), CUT_OFF],
  ['a.safetensors', st.subarray(0, -1), CUT_OFF],
  ['a.safetensors', 'x'.repeat(100), 'its header would be larger than 16 MiB'],
  ['a.safetensors', header('{'), 'its header is not readable'],
  ['a.safetensors', header('[1]'), 'its header is not readable'],
  ['a.safetensors', header('{"a":{"shape":[1]}}'), 'nothing sensible about the tensor a'],
  ['a.gguf', 'no model at all, however long', 'not starting with GGUF magic number'],
  ['a.gguf', gguf(1_000_000, 1), 'more tensors or notes than any model has'],
  ['a.gguf', gguf(1, 1_000_000), 'more tensors or notes than any model has'],
  ['a.gguf', gg.subarray(0, 10), CUT_OFF],
  ['a.gguf', gg.subarray(0, 60), CUT_OFF],
  ['a.gguf', gg.subarray(0, -1), CUT_OFF],
  ['a.onnx', 'no model at all', 'its fields cannot be read'],
  ['a.onnx', onnx.subarray(0, 1000), CUT_OFF],
  ['a.onnx', onnx.subarray(0, -1), CUT_OFF],
  ['a.onnx', Buffer.alloc(3_000_000, Buffer.of(8, 0)), 'larger than that of any model'],
  ['a.onnx', protobufMessage([[1, 8]]), 'there is no graph in it'],
  ['a.onnx', protobufMessage([[7, protobufMessage([[2, 'g']])]]), 'computes nothing'],
])('reports %s as broken, with the reason (%#)', async (name, bytes, words) => {
  const found = await read(name, bytes)

  expect(found).toMatchObject({ header: null, fault: expect.stringContaining(words) })
})

test('returns null for a missing file and for a folder', async () => {
  expect(await readModel(join(folder, 'gone.onnx'))).toBe(null)
  expect(await readModel(folder)).toBe(null)
})
