/** Where the bytes of an image are served. On their own, so that a thread that renders records loads no schemas. */
export const imagePaths = {
  full: '/api/v1/images/i/{image_name}/full',
  thumbnail: '/api/v1/images/i/{image_name}/thumbnail',
} as const
