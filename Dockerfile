# One shape for all services: docker build --target service --build-arg SERVICE=auth-service .
# The gateway has the client beside it: docker build --target gateway --build-arg SERVICE=gateway .
FROM node:24-bookworm-slim AS manifests
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY contracts/package.json contracts/
COPY runtime/package.json runtime/
COPY gateway/package.json gateway/
COPY auth-service/package.json auth-service/
COPY presence-service/package.json presence-service/
COPY discovery-service/package.json discovery-service/
COPY sync-service/package.json sync-service/
COPY desktop/device/package.json desktop/device/
COPY desktop/store/package.json desktop/store/
COPY desktop/bridge/package.json desktop/bridge/
COPY desktop/client/package.json desktop/client/
COPY desktop/renderer/package.json desktop/renderer/
COPY desktop/local-api/package.json desktop/local-api/
COPY desktop/shell/package.json desktop/shell/
COPY desktop/headless/package.json desktop/headless/
COPY desktop/tools/package.json desktop/tools/
COPY e2e/package.json e2e/
COPY bench/package.json bench/

FROM manifests AS dependencies
ARG SERVICE
# No install scripts: what is native (bcrypt) carries its binary.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund --workspace "$SERVICE" \
 && npm cache clean --force && rm package-lock.json \
 && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete

FROM node:24-bookworm-slim AS service
ARG SERVICE
ENV NODE_ENV=production
WORKDIR /app
COPY --from=dependencies /app ./
COPY contracts contracts
COPY runtime runtime
COPY ${SERVICE} ${SERVICE}
RUN ln -s "${SERVICE}/src/main.ts" main.ts
USER node
EXPOSE 8080 9464
HEALTHCHECK --interval=5s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:'+(process.env.METRICS_PORT??9464)+'/readyz').then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"]
# Node runs TypeScript as it is; the link is followed, so imports are looked up beside the service's own files.
CMD ["node", "main.ts"]

FROM manifests AS client
RUN npm ci --include=dev --ignore-scripts --no-audit --no-fund --workspace @hearth/renderer --workspace @hearth/desktop-tools && npm cache clean --force
COPY tsconfig.base.json ./
COPY contracts contracts
COPY runtime runtime
COPY desktop desktop
RUN node desktop/tools/build/main.ts renderer

FROM service AS gateway
COPY --from=client /app/desktop/dist/renderer client
ENV WEB_ROOT=/app/client
