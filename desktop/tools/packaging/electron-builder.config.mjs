// What electron-builder makes of `dist/app`, which `package.ts` puts together.
export default {
  appId: "chat.hearth.desktop",
  productName: "Hearth",
  copyright: "Hearth contributors",
  directories: { app: "dist/app", output: "dist/packages", buildResources: "icons" },
  // Everything is in the bundles: what is not named here does not ship.
  files: ["package.json", "main.mjs", "preload.cjs", "renderer/**"],
  // The local server reads these by plain file calls, which an archive does not answer all of.
  extraResources: [
    { from: "dist/app/reference", to: "reference" },
    { from: "dist/app/static-docs", to: "static-docs" },
  ],
  asar: true,
  disableAsarIntegrity: false,
  npmRebuild: false,
  nodeGypRebuild: false,
  publish: null,
  artifactName: "${productName}-${version}-${os}-${arch}.${ext}",
  protocols: [{ name: "Hearth", schemes: ["hearth"] }],
  electronFuses: {
    runAsNode: false,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
    enableCookieEncryption: true,
    loadBrowserProcessSpecificV8Snapshot: false,
    grantFileProtocolExtraPrivileges: false,
  },
  linux: {
    target: ["AppImage", "deb"],
    icon: "icons/png",
    category: "Network;InstantMessaging",
    synopsis: "A self-hosted place to talk",
    maintainer: "Hearth contributors <hearth@localhost>",
    executableName: "hearth",
  },
  win: { target: ["nsis"], icon: "icons/icon.ico" },
  nsis: { oneClick: false, perMachine: false, allowToChangeInstallationDirectory: true },
  mac: {
    target: [{ target: "dmg", arch: ["x64", "arm64"] }],
    icon: "icons/icon.icns",
    category: "public.app-category.social-networking",
    hardenedRuntime: true,
    gatekeeperAssess: false,
    entitlements: "entitlements.mac.plist",
    entitlementsInherit: "entitlements.mac.plist",
    extendInfo: {
      NSMicrophoneUsageDescription: "Hearth uses the microphone while you are in voice.",
    },
  },
};
