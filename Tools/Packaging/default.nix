# Untested. The program from a tarball of `Tools/package tar`: Swift 6.3 is newer than what Nix
# builds with. nix-build Tools/Packaging --argstr tarball /path/progressbus-0.1.0-linux-x86_64.tar.gz
{ pkgs ? import <nixpkgs> { }, tarball }:

pkgs.stdenv.mkDerivation {
  pname = "progressbus";
  version = "0.1.0";
  src = tarball;
  nativeBuildInputs = [ pkgs.autoPatchelfHook ];
  buildInputs = [ pkgs.zeromq pkgs.libsodium pkgs.ncurses pkgs.sqlite pkgs.stdenv.cc.cc.lib ];
  installPhase = ''
    mkdir -p $out
    cp -r bin share $out/
  '';
  meta = {
    description = "Shows the progress of many processes as one tree";
    license = pkgs.lib.licenses.asl20;
    platforms = [ "x86_64-linux" "aarch64-linux" ];
    mainProgram = "progressbus";
  };
}
