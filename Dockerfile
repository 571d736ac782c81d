FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
RUN npm run build && npm prune --omit=dev

FROM node:24-slim
ENV NODE_ENV=production TESSERA_HOST=0.0.0.0 TESSERA_DATA=/data
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
# Contact sheets need a font for file names, and sharp needs its configuration.
RUN apt-get update \
  && apt-get install -y --no-install-recommends fontconfig-config fonts-dejavu-core \
  && rm -rf /var/lib/apt/lists/*
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 9091
# Needs no token. A server whose database or bucket does not answer, or that stops, answers 503.
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:9091/api/v1/ready').then(({ status }) => process.exit(status < 500 ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/server/main.js"]
